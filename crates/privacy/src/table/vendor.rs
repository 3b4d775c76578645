//! Keys and tokens that carry the mark of the service that made them.

use crate::class::Class;
use crate::piece::Piece::{Lit, Run};
use crate::piece::{ALNUM, BASE64, DIGITS, HEX, HEX_ANY, LOWER_ALNUM, Piece, UPPER_ALNUM, URL64};
use crate::row::{Find, Row};

/// A token: one of its heads, then its tail; examples and gate follow from the shape.
const fn token(id: &'static str, what: &'static str, heads: &'static [&'static str], tail: &'static [Piece]) -> Row {
    Row {
        id,
        class: Class::Secret,
        what,
        source: "prefix, alphabet and length as the vendor documents them, compared with gitleaks b58d3f10",
        find: Find::Token { heads, tail },
        refused: &[],
        clean: &[],
    }
}

/// Whether a token begins as those of a known vendor do: whether it is one, its own row tells by its length.
pub(super) fn makes(token: &[u8]) -> bool {
    let begins = |heads: &[&str]| heads.iter().any(|head| token.starts_with(head.as_bytes()));
    ROWS.iter().any(|row| matches!(row.find, Find::Token { heads, .. } if begins(heads)))
}

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Code hosts and registries.
    token("github-token", "GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], &[Run(ALNUM, 36, 36)]),
    token("github-fine-grained-token", "GitHub fine-grained token", &["github_pat_"], &[Run(ALNUM, 22, 22), Lit("_"), Run(ALNUM, 59, 59)]),
    token("gitlab-token", "GitLab token", &["glpat-", "glrt-", "gldt-", "glptt-", "glcbt-", "glft-", "glsoat-", "glagent-", "gloas-", "glimt-", "glffct-", "glrtr-"], &[Run(URL64, 20, 300)]),
    token("gitlab-runner-registration", "GitLab runner registration token", &["GR1348941"], &[Run(URL64, 20, 64)]),
    token("atlassian-token", "Atlassian or Bitbucket token", &["ATATT3xFf", "ATCTT3xFf", "ATBB"], &[Run(URL64, 24, 300)]),
    token("npm-token", "npm token", &["npm_"], &[Run(ALNUM, 36, 36)]),
    token("pypi-token", "PyPI token", &["pypi-AgE"], &[Run(URL64, 30, 1000)]),
    token("crates-io-token", "crates.io token", &["cio"], &[Run(ALNUM, 32, 32)]),
    token("rubygems-token", "RubyGems token", &["rubygems_"], &[Run(HEX, 48, 48)]),
    token("nuget-key", "NuGet key", &["oy2"], &[Run(LOWER_ALNUM, 43, 43)]),
    token("clojars-token", "Clojars token", &["CLOJARS_"], &[Run(LOWER_ALNUM, 60, 60)]),
    token("docker-token", "Docker Hub token", &["dckr_pat_", "dckr_oat_"], &[Run(URL64, 27, 40)]),
    token("artifactory-key", "Artifactory key", &["AKCp"], &[Run(ALNUM, 69, 69)]),
    token("artifactory-reference", "Artifactory reference token", &["cmVmdGtu"], &[Run(ALNUM, 56, 56)]),
    // Clouds.
    token("aws-key-id", "AWS access key id", &["AKIA", "ASIA", "ABIA", "ACCA"], &[Run(UPPER_ALNUM, 16, 16)]),
    token("aws-bedrock-key", "Amazon Bedrock key", &["ABSK"], &[Run(BASE64, 100, 300)]),
    token("google-api-key", "Google API key", &["AIza"], &[Run(URL64, 35, 35)]),
    token("google-oauth-token", "Google access token", &["ya29."], &[Run(URL64, 20, 1000)]),
    token("google-client-secret", "Google client secret", &["GOCSPX-"], &[Run(URL64, 28, 28)]),
    token("firebase-key", "Firebase messaging key", &["AAAA"], &[Run(URL64, 7, 7), Lit(":APA91b"), Run(URL64, 100, 200)]),
    token("azure-devops-token", "Azure DevOps token", &["JQQJ9"], &[Run(ALNUM, 60, 90)]),
    token("alibaba-key-id", "Alibaba Cloud key id", &["LTAI"], &[Run(ALNUM, 16, 26)]),
    token("yandex-key", "Yandex Cloud key", &["AQVN"], &[Run(URL64, 35, 38)]),
    token("tencent-key-id", "Tencent Cloud key id", &["AKID"], &[Run(ALNUM, 32, 32)]),
    token("digitalocean-token", "DigitalOcean token", &["dop_v1_", "doo_v1_", "dor_v1_"], &[Run(HEX, 64, 64)]),
    token("heroku-key", "Heroku key", &["HRKU-"], &[Run(URL64, 36, 100)]),
    token("fly-token", "Fly.io token", &["fo1_", "fm1_", "fm2_", "fm1r_", "fm2r_"], &[Run(BASE64, 43, 1000)]),
    token("netlify-token", "Netlify token", &["nfp_"], &[Run(ALNUM, 36, 40)]),
    token("render-key", "Render key", &["rnd_"], &[Run(ALNUM, 28, 40)]),
    token("cloudflare-origin-key", "Cloudflare origin key", &["v1.0-"], &[Run(HEX, 24, 24), Lit("-"), Run(HEX, 146, 146)]),
    token("supabase-key", "Supabase key", &["sbp_", "sb_secret_"], &[Run(URL64, 31, 60)]),
    token("planetscale-token", "PlanetScale token", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], &[Run(URL64, 32, 64)]),
    token("neon-key", "Neon key", &["napi_"], &[Run(LOWER_ALNUM, 64, 64)]),
    token("scalingo-token", "Scalingo token", &["tk-us-"], &[Run(URL64, 48, 48)]),
    token("infracost-key", "Infracost key", &["ico-"], &[Run(ALNUM, 32, 32)]),
    // Models and agents.
    token("anthropic-key", "Anthropic key", &["sk-ant-"], &[Run(URL64, 32, 300)]),
    token("openai-key", "OpenAI key, and the many keys of its shape", &["sk-"], &[Run(ALNUM, 20, 300)]),
    token("openai-project-key", "OpenAI project key", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], &[Run(URL64, 20, 300)]),
    token("openrouter-key", "OpenRouter key", &["sk-or-v1-", "sk-lf-"], &[Run(URL64, 32, 80)]),
    token("huggingface-token", "Hugging Face token", &["hf_", "api_org_"], &[Run(ALNUM, 34, 40)]),
    token("groq-key", "Groq key", &["gsk_"], &[Run(ALNUM, 48, 60)]),
    token("xai-key", "xAI key", &["xai-"], &[Run(ALNUM, 70, 90)]),
    token("perplexity-key", "Perplexity key", &["pplx-"], &[Run(ALNUM, 40, 60)]),
    token("replicate-token", "Replicate token", &["r8_"], &[Run(ALNUM, 37, 37)]),
    token("nvidia-key", "NVIDIA key", &["nvapi-"], &[Run(URL64, 60, 80)]),
    token("langchain-key", "LangSmith key", &["lsv2_pt_", "lsv2_sk_"], &[Run(HEX, 32, 32)]),
    token("pinecone-key", "Pinecone key", &["pcsk_"], &[Run(URL64, 40, 90)]),
    token("tavily-key", "Tavily key", &["tvly-"], &[Run(URL64, 28, 60)]),
    token("wandb-key", "Weights and Biases key", &["wandb_v1_"], &[Run(URL64, 40, 100)]),
    token("firecrawl-key", "Firecrawl key", &["fc-"], &[Run(HEX, 32, 32)]),
    token("elevenlabs-key", "ElevenLabs key", &["sk_"], &[Run(HEX, 48, 48)]),
    token("e2b-key", "E2B key", &["e2b_"], &[Run(HEX, 40, 40)]),
    token("daytona-key", "Daytona key", &["dtn_"], &[Run(HEX, 64, 64)]),
    token("voyage-key", "Voyage, Fireworks, Jina or RunPod key", &["pa-", "fw_", "jina_", "rpa_"], &[Run(ALNUM, 24, 80)]),
    token("modal-key", "Modal token", &["ak-", "as-"], &[Run(ALNUM, 22, 22)]),
    token("cerebras-key", "Cerebras key", &["csk-"], &[Run(LOWER_ALNUM, 40, 60)]),
    // Chat.
    token("slack-token", "Slack token", &["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xoxe-", "xoxe.xoxp-", "xoxe.xoxb-"], &[Run(URL64, 10, 300)]),
    token("slack-app-token", "Slack app token", &["xapp-"], &[Run(DIGITS, 1, 2), Lit("-"), Run(UPPER_ALNUM, 9, 14), Lit("-"), Run(DIGITS, 9, 15), Lit("-"), Run(HEX, 32, 64)]),
    // Mail and messages.
    token("sendgrid-key", "SendGrid key", &["SG."], &[Run(URL64, 22, 22), Lit("."), Run(URL64, 43, 43)]),
    token("brevo-key", "Brevo key", &["xkeysib-", "xsmtpsib-"], &[Run(HEX, 64, 64), Lit("-"), Run(ALNUM, 16, 16)]),
    token("mailgun-key", "Mailgun key", &["key-"], &[Run(HEX, 32, 32)]),
    token("resend-key", "Resend key", &["re_"], &[Run(ALNUM, 8, 8), Lit("_"), Run(ALNUM, 24, 24)]),
    // Money.
    token("stripe-key", "Stripe key", &["sk_live_", "rk_live_", "sk_test_", "rk_test_", "sk_org_live_"], &[Run(ALNUM, 14, 247)]),
    token("stripe-hook-secret", "Stripe webhook secret", &["whsec_"], &[Run(BASE64, 24, 64)]),
    token("square-token", "Square token", &["sq0atp-", "sq0csp-", "EAAAE", "EAAAl"], &[Run(URL64, 22, 64)]),
    token("shopify-token", "Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_"], &[Run(HEX_ANY, 32, 32)]),
    token("paypal-token", "PayPal access token", &["access_token$production$", "access_token$sandbox$"], &[Run(LOWER_ALNUM, 16, 16), Lit("$"), Run(HEX, 32, 32)]),
    token("plaid-token", "Plaid token", &["access-sandbox-", "access-development-", "access-production-"], &[Run(HEX, 8, 8), Lit("-"), Run(HEX, 4, 4), Lit("-"), Run(HEX, 4, 4)]),
    token("razorpay-key", "Razorpay key", &["rzp_live_", "rzp_test_"], &[Run(ALNUM, 14, 24)]),
    token("flutterwave-key", "Flutterwave key", &["FLWSECK-", "FLWSECK_TEST-"], &[Run(HEX_ANY, 12, 40)]),
    token("easypost-key", "EasyPost key", &["EZAK", "EZTK"], &[Run(ALNUM, 54, 54)]),
    token("shippo-token", "Shippo token", &["shippo_live_", "shippo_test_"], &[Run(HEX, 40, 40)]),
    token("duffel-token", "Duffel token", &["duffel_live_", "duffel_test_"], &[Run(URL64, 43, 43)]),
    // Observing and building.
    token("databricks-token", "Databricks token", &["dapi"], &[Run(HEX, 32, 32)]),
    token("doppler-token", "Doppler token", &["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "dp.st."], &[Run(ALNUM, 40, 44)]),
    token("doppler-config-token", "Doppler token of one configuration", &["dp.st."], &[Run(LOWER_ALNUM, 2, 35), Lit("."), Run(ALNUM, 40, 44)]),
    token("vault-token", "HashiCorp Vault token", &["hvs.", "hvb.", "hvr."], &[Run(URL64, 24, 300)]),
    token("terraform-token", "Terraform Cloud token", &[".atlasv1."], &[Run(URL64, 60, 70)]),
    token("pulumi-token", "Pulumi token", &["pul-"], &[Run(HEX, 40, 40)]),
    token("grafana-token", "Grafana service account token", &["glsa_"], &[Run(ALNUM, 32, 32), Lit("_"), Run(HEX_ANY, 8, 8)]),
    token("grafana-cloud-token", "Grafana Cloud token", &["glc_"], &[Run(BASE64, 32, 400)]),
    token("new-relic-key", "New Relic key", &["NRAK-", "NRJS-", "NRII-", "NRIQ-"], &[Run(URL64, 19, 40)]),
    token("sentry-token", "Sentry token", &["sntrys_", "sntryu_"], &[Run(URL64, 40, 400)]),
    token("dynatrace-token", "Dynatrace token", &["dt0c01.", "dt0s16."], &[Run(UPPER_ALNUM, 24, 24), Lit("."), Run(UPPER_ALNUM, 64, 64)]),
    token("sonar-token", "Sonar token", &["sqp_", "squ_", "sqa_"], &[Run(HEX, 40, 40)]),
    token("buildkite-token", "Buildkite token", &["bkua_"], &[Run(HEX, 40, 40)]),
    token("circleci-token", "CircleCI token", &["CCIPAT_", "CCIPRJ_"], &[Run(ALNUM, 22, 22), Lit("_"), Run(HEX, 40, 40)]),
    token("tailscale-key", "Tailscale key", &["tskey-auth-", "tskey-api-", "tskey-client-", "tskey-secret-"], &[Run(ALNUM, 10, 24), Lit("-"), Run(ALNUM, 24, 40)]),
    token("launchdarkly-key", "LaunchDarkly key", &["sdk-"], &[Run(HEX, 8, 8), Lit("-"), Run(HEX, 4, 4), Lit("-4"), Run(HEX, 3, 3), Lit("-"), Run(HEX, 4, 4), Lit("-"), Run(HEX, 12, 12)]),
    token("honeycomb-key", "Honeycomb key", &["hcaik_", "hcbik_", "hcaic_", "hcxik_"], &[Run(LOWER_ALNUM, 30, 64)]),
    token("openshift-token", "OpenShift token", &["sha256~"], &[Run(URL64, 43, 43)]),
    token("sourcegraph-token", "Sourcegraph token", &["sgp_", "slk_"], &[Run(HEX, 16, 16), Lit("_"), Run(HEX, 40, 40)]),
    token("launchdarkly-access", "LaunchDarkly access token", &["api-", "mob-"], &[Run(HEX, 8, 8), Lit("-"), Run(HEX, 4, 4), Lit("-4"), Run(HEX, 3, 3), Lit("-"), Run(HEX, 4, 4), Lit("-"), Run(HEX, 12, 12)]),
    token("intra-secret", "a secret that 42 intra gives a client", &["s-s4t2ud-", "s-s4t2af-", "u-s4t2ud-"], &[Run(HEX, 64, 64)]),
    token("prefect-key", "Prefect key", &["pnu_"], &[Run(ALNUM, 36, 36)]),
    token("postman-key", "Postman key", &["PMAK-"], &[Run(HEX, 24, 24), Lit("-"), Run(HEX, 34, 34)]),
    token("readme-key", "ReadMe key", &["rdme_"], &[Run(LOWER_ALNUM, 70, 70)]),
    token("adafruit-key", "Adafruit key", &["aio_"], &[Run(ALNUM, 28, 28)]),
    // Documents and work.
    token("linear-key", "Linear key", &["lin_api_", "lin_oauth_"], &[Run(ALNUM, 32, 64)]),
    token("notion-token", "Notion token", &["ntn_", "secret_"], &[Run(ALNUM, 43, 50)]),
    token("figma-token", "Figma token", &["figd_"], &[Run(URL64, 38, 44)]),
    token("contentful-token", "Contentful token", &["CFPAT-"], &[Run(URL64, 43, 43)]),
    token("typeform-token", "Typeform token", &["tfp_"], &[Run(URL64, 40, 70)]),
    token("segment-token", "Segment token", &["sgp_"], &[Run(ALNUM, 60, 70)]),
    token("sourcegraph-local-token", "Sourcegraph token without its instance", &["sgp_", "sgp_local_"], &[Run(HEX, 40, 40)]),
    token("pubnub-key", "PubNub key", &["pub-c-", "sub-c-", "sec-c-"], &[Run(HEX, 8, 8), Lit("-"), Run(HEX, 4, 4), Lit("-"), Run(HEX, 4, 4), Lit("-"), Run(HEX, 4, 4), Lit("-"), Run(HEX, 12, 12)]),
    token("nightfall-key", "Nightfall key", &["NF-"], &[Run(HEX_ANY, 32, 32)]),
    token("live-key", "a live key in the form that Stripe began", &["ak_live_", "ak_test_"], &[Run(ALNUM, 24, 60)]),
    token("hubspot-token", "HubSpot token", &["pat-na1-", "pat-eu1-"], &[Run(HEX, 8, 8), Lit("-"), Run(HEX, 4, 4), Lit("-"), Run(HEX, 4, 4)]),
    token("asana-token", "Asana token", &["0/", "1/", "2/"], &[Run(DIGITS, 16, 16), Lit(":"), Run(HEX, 32, 32)]),
    token("asana-access", "Asana access token", &["2/"], &[Run(DIGITS, 13, 17), Lit("/"), Run(DIGITS, 13, 17), Lit(":"), Run(HEX, 32, 32)]),
    token("dropbox-token", "Dropbox token", &["sl."], &[Run(URL64, 60, 300)]),
    token("facebook-token", "Facebook token", &["EAAC", "EAAG", "EAAB", "EAAM"], &[Run(ALNUM, 80, 300)]),
    token("adobe-secret", "Adobe client secret", &["p8e-"], &[Run(ALNUM, 32, 32)]),
    // Keepers of secrets.
    token("age-key", "age identity", &["AGE-SECRET-KEY-1"], &[Run(UPPER_ALNUM, 30, 60)]),
    token("onepassword-token", "1Password service account token", &["ops_eyJ"], &[Run(BASE64, 100, 2000)]),
    token("onepassword-key", "1Password secret key", &["A3-"], &[Run(UPPER_ALNUM, 6, 6), Lit("-"), Run(UPPER_ALNUM, 6, 11), Lit("-"), Run(UPPER_ALNUM, 5, 5), Lit("-"), Run(UPPER_ALNUM, 5, 5)]),
    token("json-web-token", "JSON web token", &["eyJ"], &[Run(URL64, 8, 4000), Lit(".eyJ"), Run(URL64, 8, 8000), Lit("."), Run(URL64, 0, 8000)]),
];
