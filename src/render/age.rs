//! Ages for people. Files hold instants, never ages.

use crate::vocabulary::Duration;

/// How long ago, in at most two units: `40s`, `12m`, `28h`, `2d 7h`.
pub(super) fn age(duration: Duration) -> String {
    let seconds = duration.as_seconds();
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{minutes}m"),
        3_600..172_800 => format!("{hours}h"),
        _ if hours % 24 == 0 => format!("{days}d"),
        _ => format!("{days}d {}h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::age;
    use crate::vocabulary::Duration;

    #[test]
    fn the_unit_grows_with_the_age() {
        let shown: Vec<_> = [5, 61, 7_200, 172_799, 172_800, 198_000].map(Duration::seconds).map(age).to_vec();
        assert_eq!(shown, ["5s", "1m", "2h", "47h", "2d", "2d 7h"]);
    }
}
