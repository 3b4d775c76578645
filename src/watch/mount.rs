//! File systems whose changes are made elsewhere, so that no event tells of them.

use std::path::Path;

/// Types of file systems that are shared with other machines or with a host.
const SHARED: [&str; 12] = [
    "9p",
    "cifs",
    "smb3",
    "smbfs",
    "nfs",
    "nfs4",
    "drvfs",
    "virtiofs",
    "vboxsf",
    "prl_fs",
    "fuse.sshfs",
    "fuse.grpcfuse",
];

/// Names the type of the file system that holds `place`, when it is a shared one. Known on Linux only.
pub(super) fn shared(place: &Path) -> Option<&'static str> {
    shared_in(&std::fs::read_to_string("/proc/self/mountinfo").ok()?, place)
}

/// The same for the text of `mountinfo`.
fn shared_in(mounts: &str, place: &Path) -> Option<&'static str> {
    let mount = |line: &str| {
        let (front, back) = line.split_once(" - ")?;
        let folder = front.split(' ').nth(4)?.replace("\\040", " ");
        place.starts_with(&folder).then(|| (folder.len(), back.split(' ').next().unwrap_or_default().to_owned()))
    };
    // Of two mounts at one place the later one is seen.
    let (_, found) = mounts.lines().filter_map(mount).max_by_key(|(length, _)| *length)?;
    SHARED.into_iter().find(|known| *known == found)
}

#[cfg(test)]
mod tests {
    use super::shared_in;
    use std::path::Path;

    #[test]
    fn the_innermost_mount_counts() {
        let mounts = "22 1 8:1 / / rw,relatime - ext4 /dev/sda rw\n\
                      30 22 0:40 / /mnt/my\\040share rw - 9p host rw,trans=virtio\n\
                      31 30 0:41 / /mnt/my\\040share/local rw shared:1 - tmpfs none rw\n";
        let found = |place: &str| shared_in(mounts, Path::new(place));
        assert_eq!(found("/srv/team"), None);
        assert_eq!(found("/mnt/my share/team/loopx"), Some("9p"));
        assert_eq!(found("/mnt/my share/local/loopx"), None);
        assert_eq!(shared_in("", Path::new("/srv")), None);
        assert_eq!(shared_in("broken line", Path::new("/srv")), None);
    }
}
