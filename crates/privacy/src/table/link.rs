//! Links into one organisation's documents and trackers.

use crate::class::Class;
use crate::match_context::MatchContext;
use crate::piece::Piece::{Lit, Run};
use crate::piece::{ALNUM, DIGITS, HEX, LETTERS, UPPER_ALNUM};
use crate::row::Trigger::Words;
use crate::row::{Find, Row};

/// A row of one pattern.
macro_rules! link {
    ($class:ident $id:literal, $what:literal, $trigger:expr, $pattern:expr, $check:expr, $refused:expr, $clean:expr) => {
        Row {
            id: $id,
            class: Class::$class,
            what: $what,
            source: "address forms of the services",
            find: Find::Pattern { trigger: $trigger, pattern: $pattern, check: $check },
            refused: $refused,
            clean: $clean,
        }
    };
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    link!(DocumentLink "google-document", "a document, drive or meeting of Google",
        Words(&["docs.google", "drive.google", "sheets.google", "slides.google", "script.google", "sites.google", "lookerstudio.google", "datastudio.google", "mail.google", "calendar.google", "meet.google", "chat.google", "keep.google", "photos.google", "colab.research", "photos.app", ".goo.gl/", "forms.gle", "photos.gle"]),
        r#"(?i)\b(?:docs|drive|sheets|slides|script|sites|lookerstudio|datastudio|colab\.research|mail|calendar|meet|chat|keep|photos)\.google\.com/[^\s"'`<>]{6,400}|\b(?:photos|forms)\.(?:app\.goo\.gl|gle)/[A-Za-z0-9]{8,40}"#,
        |context| !context.matched().windows(7).any(|part| part == b"/e/2PAC"),
        &[&[Lit("https://docs.goo"), Lit("gle.com/document/d/"), Run(ALNUM, 44, 44), Lit("/edit")], &[Lit("https://drive.goo"), Lit("gle.com/file/d/"), Run(ALNUM, 33, 33)], &[Lit("photos.app.g"), Lit("oo.gl/"), Run(ALNUM, 17, 17)], &[Lit("forms.app.g"), Lit("oo.gl/"), Run(ALNUM, 17, 17)]],
        &[&[Lit("share it on docs.google.com")], &[Lit("https://docs.google.com/spreadsheets/d/e/2PACX-1vSample/pubchart?format=image")], &[Lit("https://developers.google.com/drive/api")]]),
    link!(DocumentLink "microsoft-document", "a document or chat of Microsoft 365",
        Words(&["sharepoint.", "onedrive.live", "1drv.ms", ".office.com/", ".microsoft.com/", ".cloud.microsoft", "teams.live", "powerbi.com"]),
        r#"(?i)\b[a-z0-9-]{1,63}\.sharepoint\.(?:com|cn)/[^\s"'`<>]{3,400}|\bonedrive\.live\.com/[^\s"'`<>]{6,400}|\b1drv\.ms/[^\s"'`<>]{6,200}|\b(?:forms|sway|loop|whiteboard|tasks)\.(?:office|microsoft|cloud\.microsoft)(?:\.com)?/[^\s"'`<>]{8,300}|\bteams\.(?:microsoft|live)\.com/(?:l|meet|_)/?[^\s"'`<>]{8,400}|\bapp\.powerbi\.com/[^\s"'`<>]{10,400}"#,
        |_| true,
        &[&[Lit("https://acme.sharepo"), Lit("int.com/:w:/s/x/"), Run(ALNUM, 30, 30)], &[Lit("https://1dr"), Lit("v.ms/w/s!"), Run(ALNUM, 16, 16)]],
        &[&[Lit("store it in sharepoint.com or onedrive")]]),
    link!(DocumentLink "notion-page", "a page of Notion",
        Words(&["notion.so", "notion.site", "notion.com"]), r#"(?i)\b(?:www\.|app\.|[a-z0-9-]{1,63}\.)?notion\.(?:so|site|com)/[^\s"'`<>]{0,200}(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"#,
        |_| true,
        &[&[Lit("https://www.not"), Lit("ion.so/acme/Plan-"), Run(HEX, 32, 32)]],
        &[&[Lit("https://www.notion.so/pricing")]]),
    link!(DocumentLink "lark-document", "a document of Feishu or Lark",
        Words(&["feishu.", "larksuite.", "larkoffice.", ".lark."]), r#"(?i)\b([a-z0-9-]{1,63})\.(?:feishu|larksuite|larkoffice|lark)\.(?:cn|com|net)/[^\s"'`<>]{3,300}"#,
        |context| !is_public(context, &["open", "www", "developer", "developers", "docs", "anycross", "app", "passport", "accounts", "status"]),
        &[&[Lit("https://acme.fei"), Lit("shu.cn/docx/"), Run(ALNUM, 27, 27)], &[Lit("https://acme.larks"), Lit("uite.com/wiki/"), Run(ALNUM, 27, 27)]],
        &[&[Lit("see https://open.larkoffice.com/app")], &[Lit("https://www.feishu.cn/product")]]),
    link!(DocumentLink "wiki-page", "a page of Confluence, Quip, Yuque or another wiki",
        Words(&["atlassian.net/wiki", "confluence.", "quip.com/", "yuque.com/", "shimo.im/", "kdocs.cn/", "docs.qq.com/", "alidocs.", "coda.io/d", ".slab.com/", "getoutline.com/", "slite.com/", "nuclino.com/", "dropbox.com/", "box.com/", "evernote.com/", "iwiki.", "/display/", "/pages/viewpage", "hackmd.io/", "app.gitbook.com/", "workdrive.zoho.", "writer.zoho.", "sheet.zoho.", "docs.zoho.", "docsend.com/", "scribehow.com/", "guru.com/", "pitch.com/", "tldraw.com/", "/wiki/spaces/", "/wiki/x/"]),
        concat!(r#"(?i)\b[a-z0-9-]{1,63}\.atlassian\.net/wiki/[^\s"'`<>]{3,300}|\bconfluence\.[a-z0-9.-]{2,80}/(?:display|pages|x|spaces|wiki)/[^\s"'`<>]{2,300}|\b(?:[a-z0-9-]{1,63}\.)?quip\.com/[A-Za-z0-9]{8,16}\b|\b(?:www\.|[a-z0-9-]{1,63}\.)?yuque\.com/[\w-]{1,60}/[\w-]{1,60}/[\w-]{4,60}|\bshimo\.im/[a-z]{2,20}/[A-Za-z0-9]{8,40}|\b(?:www\.)?kdocs\.cn/l/\w{6,40}|\bdocs\.qq\.com/[a-z]{2,20}/[A-Za-z0-9]{8,40}|\balidocs\.dingtalk\.com/[^\s"'`<>]{8,200}"#,
            r#"|\bcoda\.io/d/[^\s"'`<>]{4,200}|\b[a-z0-9-]{1,63}\.(?:slab|getoutline|slite|nuclino)\.com/[^\s"'`<>]{6,200}|\b(?:www\.)?dropbox\.com/(?:s|scl|sh|home|paper|request)/[^\s"'`<>]{6,300}|\bpaper\.dropbox\.com/doc/[^\s"'`<>]{6,300}|\b(?:app|[a-z0-9-]{1,63})\.box\.com/(?:s|file|folder|notes)/\w{6,60}|\b(?:www\.)?evernote\.com/(?:shard|l)/[^\s"'`<>]{6,300}|\biwiki\.[a-z0-9.-]{2,60}/[^\s"'`<>]{3,200}|https?://[a-z0-9.-]{3,80}(?::[0-9]{2,5})?(?:/[a-z]{2,20})?/(?:display/[A-Z~][A-Z0-9a-z~]{1,40}/[^\s"'`<>]{2,200}|pages/viewpage\.action\?[^\s"'`<>]{4,200}|wiki/(?:spaces|x)/[^\s"'`<>]{4,200})|\bhackmd\.io/(?:@[\w-]{1,60}/)?[\w-]{6,60}|\bapp\.gitbook\.com/[os]/[^\s"'`<>]{6,200}|\b(?:workdrive|writer|sheet|docs|show)\.zoho\.(?:com|eu|in)/[^\s"'`<>]{8,200}|\bdocsend\.com/view/\w{6,40}|\bscribehow\.com/shared/[^\s"'`<>]{8,200}|\bapp\.getguru\.com/card/[^\s"'`<>]{6,200}|\b(?:app\.)?pitch\.com/(?:app|v|public)/[^\s"'`<>]{8,200}|\b(?:www\.)?tldraw\.com/[rf]/[^\s"'`<>]{6,100}"#),
        |context| !is_open_site(context.matched()),
        &[&[Lit("https://acme.atlas"), Lit("sian.net/wiki/spaces/X/pages/"), Run(DIGITS, 9, 9)], &[Lit("https://acme.qu"), Lit("ip.com/"), Run(ALNUM, 12, 12)], &[Lit("https://wiki.sample.com/dis"), Lit("play/ENG/Plan")], &[Lit("https://www.yu"), Lit("que.com/acme/plans/"), Run(ALNUM, 16, 16)]],
        &[&[Lit("https://confluence.com/ is a product")], &[Lit("https://cwiki.apache.org/confluence/display/KAFKA/Index")], &[Lit("https://www.dropbox.com/business")]]),
    link!(DocumentLink "board-link", "a board, design, table or recording of a team",
        Words(&["figma.com/", "miro.com/", "lucid.app/", "airtable.com/", "whimsical.com/", "canva.com/", "loom.com/", "zoom.us/", "overleaf.com/", "smartsheet.com/", "mural.co/", "excalidraw.com/", "slack.com/", "discord.com/channels", "t.me/", "grafana.net/", "retool.com/", "datadoghq.", "sentry.io/"]),
        concat!(r#"(?i)\b(?:www\.)?figma\.com/(?:file|design|proto|board|slides|make)/\w{10,60}|\bmiro\.com/app/board/[^\s"'`<>]{6,100}|\blucid\.app/[^\s"'`<>]{10,200}|\bairtable\.com/(?:app|shr|invite)\w{6,80}|\bwhimsical\.com/[\w-]{12,120}|\b(?:www\.)?canva\.com/design/\w{6,60}|\b(?:www\.)?loom\.com/share/\w{10,60}|\b[a-z0-9-]{0,40}\.?zoom\.us/(?:j|rec|s|my|w)/[^\s"'`<>]{6,200}|\b(?:www\.)?overleaf\.com/(?:project|read)/\w{8,60}|\bapp\.smartsheet\.com/[^\s"'`<>]{8,200}|\bapp\.mural\.co/[^\s"'`<>]{8,200}"#,
            r#"|\bexcalidraw\.com/#(?:json|room)=[^\s"'`<>]{8,200}|\b[a-z0-9-]{1,63}\.slack\.com/(?:archives|files|team|canvas|client|docs)/[A-Z0-9][^\s"'`<>]{4,200}|\bdiscord\.com/channels/[0-9@a-z]{1,30}/[0-9]{6,30}/[0-9]{6,30}|\bt\.me/(?:c/|\+|joinchat/)[^\s"'`<>]{6,100}|\b[a-z0-9-]{1,63}\.(?:grafana\.net|retool\.com)/[^\s"'`<>]{6,300}|\b[a-z0-9.-]{0,60}datadoghq\.(?:com|eu)/(?:logs|apm|dashboard|notebook|monitors)[^\s"'`<>]{4,300}|\b[a-z0-9-]{1,63}\.sentry\.io/issues/[^\s"'`<>]{4,200}"#),
        |_| true,
        &[&[Lit("https://www.fig"), Lit("ma.com/design/"), Run(ALNUM, 22, 22)], &[Lit("https://acme.sl"), Lit("ack.com/archives/"), Run(UPPER_ALNUM, 9, 9)]],
        &[&[Lit("https://www.figma.com/pricing")], &[Lit("https://zoom.us/download")]]),
    link!(Ticket "tracker-link", "an issue of an internal tracker",
        Words(&[".atlassian.net/", "jira.", "linear.app/", "app.asana.com/", "clickup.com/", "trello.com/", "monday.com/", "meego.", "youtrack", "shortcut.com/", "basecamp.com/", "tapd.cn/", "pivotaltracker", "zendesk.com", "service-now.com", "dev.azure.com", "visualstudio.com", "pagerduty.com/", "show_bug.cgi", "redmine.", "opsgenie.com/", "/jira/browse/", "freshdesk.com/", "incident.io/"]),
        concat!(r#"(?i)\b[a-z0-9-]{1,63}\.atlassian\.net/(?:browse|jira|issues|servicedesk|projects)[^\s"'`<>]{3,200}|\bjira\.[a-z0-9.-]{2,80}/(?:browse|projects|secure|issues)[^\s"'`<>]{2,200}|\blinear\.app/[\w-]{1,60}/(?:issue|project|view|team)/[^\s"'`<>]{3,200}|\bapp\.asana\.com/[0-9][^\s"'`<>]{4,200}|\bapp\.clickup\.com/[^\s"'`<>]{4,200}|\btrello\.com/[bc]/\w{6,40}|\b[a-z0-9-]{1,63}\.monday\.com/boards/[^\s"'`<>]{4,200}|\bmeego\.[a-z0-9.-]{2,60}/[^\s"'`<>]{4,200}"#,
            r#"|\byoutrack\.[a-z0-9.-]{2,60}/[^\s"'`<>]{4,200}|\b[a-z0-9-]{1,63}\.youtrack\.cloud/[^\s"'`<>]{4,200}|\bapp\.shortcut\.com/[^\s"'`<>]{4,200}|\b3\.basecamp\.com/[0-9][^\s"'`<>]{4,200}|\b(?:www\.)?tapd\.cn/[0-9][^\s"'`<>]{4,200}|\b(?:www\.)?pivotaltracker\.com/story/[^\s"'`<>]{4,200}|\b[a-z0-9-]{1,63}\.(?:zendesk|service-now)\.com/[^\s"'`<>]{6,200}|\bdev\.azure\.com/[\w-]{1,60}/[^\s"'`<>]{1,100}/_(?:workitems|wiki|boards|git|build)[^\s"'`<>]{0,200}|\b[a-z0-9-]{1,63}\.visualstudio\.com/[^\s"'`<>]{6,200}|\b[a-z0-9-]{1,63}\.pagerduty\.com/(?:incidents|services|alerts)[^\s"'`<>]{3,200}|\bbugzilla\.[a-z0-9.-]{2,80}/(?:[a-z]{1,20}/)?show_bug\.cgi\?id=[0-9]{1,9}|\bredmine\.[a-z0-9.-]{2,80}/(?:issues|projects)/[^\s"'`<>]{1,200}|\b[a-z0-9-]{1,63}\.(?:app\.)?(?:opsgenie|freshdesk)\.com/[^\s"'`<>]{6,200}|\bapp\.incident\.io/[^\s"'`<>]{4,200}|https?://[a-z0-9.-]{3,80}(?::[0-9]{2,5})?/jira/browse/[A-Z][^\s"'`<>]{2,60}"#),
        |context| !is_open_site(context.matched()) && ![&b"code.vis"[..], b"marketplace.vis", b"www.vis"].iter().any(|site| context.matched().starts_with(site)),
        &[&[Lit("https://acme.atlas"), Lit("sian.net/browse/"), Run(LETTERS, 4, 4), Lit("-12")], &[Lit("https://lin"), Lit("ear.app/acme/issue/"), Run(LETTERS, 3, 3), Lit("-12")]],
        &[&[Lit("https://linear.app/features")], &[Lit("https://code.visualstudio.com/docs/cpp/natvis")], &[Lit("https://bugzilla.mozilla.org/show_bug.cgi?id=1234567")], &[Lit("move it from jira to linear.app")]]),
    link!(Ticket "dated-ticket", "an internal task id made of a letter, a time and a tail",
        Words(&["t-20"]), r"(?i)\bt-20[0-9]{8,14}-[a-z0-9]{2,12}\b",
        |context| !matches!(context.before(), b'-' | b'_') || context.follows_mark(),
        &[&[Lit("fixed t-2026"), Lit("0101120000-ab12")]],
        &[&[Lit("t-123 is done")]]),
    Row {
        id: "team-ticket",
        class: Class::Ticket,
        what: "a ticket with one of the team's prefixes",
        source: "the team's policy: privacy.ticket_prefixes",
        find: Find::TicketPrefixes,
        refused: &[],
        clean: &[&[Lit("RFC-9110 and CVE-2026-1234")]],
    },
    Row {
        id: "team-host",
        class: Class::PrivateNetwork,
        what: "a host that the team's policy names",
        source: "the team's policy: privacy.private_hosts",
        find: Find::PrivateHosts,
        refused: &[],
        clean: &[],
    },
];

/// Whether the first group is the name of a public site of the service.
fn is_public(context: &MatchContext<'_>, sites: &[&str]) -> bool {
    sites.iter().any(|site| context.value().eq_ignore_ascii_case(site.as_bytes()))
}

/// Whether an address is on the wiki or tracker of an open project, which anybody can read.
fn is_open_site(address: &[u8]) -> bool {
    const OPEN: &[&str] = &[
        "apache.org",
        "mozilla.org",
        "kernel.org",
        "redhat.com",
        "gnome.org",
        "kde.org",
        "jenkins.io",
        "eclipse.org",
        "openjdk.org",
        "debian.org",
        "samba.org",
        "gnu.org",
        "sourceware.org",
        "mongodb.org",
        "spring.io",
        "ros.org",
        "redmine.org",
        "ruby-lang.org",
        "openstack.org",
    ];
    OPEN.iter().any(|site| address.windows(site.len()).any(|part| part.eq_ignore_ascii_case(site.as_bytes())))
}
