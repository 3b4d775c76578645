//! Choices that depend on the seed alone.

use loopx::vocabulary::ClosedWords;

/// SplitMix64: small, good enough for choices, and the same everywhere.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Dice of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x51ed_270b))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// Whether something of this many percent happens.
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub(crate) fn pick<'a, T: ?Sized>(&mut self, options: &[&'a T]) -> &'a T {
        options[self.below(options.len())]
    }

    /// One word of a vocabulary.
    pub(crate) fn word<C: ClosedWords>(&mut self) -> &'static str {
        C::ALL[self.below(C::ALL.len())].word()
    }

    /// An instant so many hours before the time of the directory, give or take.
    pub(crate) fn hours_ago(&mut self, most: usize) -> String {
        let minutes = self.below(most * 60 + 1);
        super::Generated::now()
            .timestamp()
            .checked_sub(jiff::SignedDuration::from_mins(minutes as i64))
            .expect("within range")
            .to_string()
    }

    /// An instant within so many hours on either side of the time of the directory.
    pub(crate) fn around(&mut self, most: usize) -> String {
        let minutes = self.below(most * 120 + 1) as i64 - most as i64 * 60;
        super::Generated::now()
            .timestamp()
            .checked_add(jiff::SignedDuration::from_mins(minutes))
            .expect("within range")
            .to_string()
    }

    /// Puts items in another order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
