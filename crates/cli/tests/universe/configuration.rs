//! In which ways can Lazuli check a method?

/// A technique, a structure or an engine.
pub struct Configuration {
    pub name: &'static str,
    pub options: &'static [&'static str],
    /// Are all faults run by Lazuli too? One configuration is enough for that; the others ask where brute force knows no such fault.
    pub confirms: bool,
}

pub const CONFIGURATIONS: [Configuration; 16] = [
    Configuration { name: "precise", options: &[], confirms: true },
    by("precise-search", &["--structure", "search"]),
    by("precise-list", &["--structure", "list"]),
    by("precise-circuit-list", &["--structure", "circuit-list"]),
    by("precise-circuit", &["--structure", "circuit"]),
    by("lazier", &["--technique", "lazier"]),
    by("lazier-sharp", &["--technique", "lazier-sharp"]),
    by("hybrid", &["--technique", "hybrid"]),
    by("bounded", &["--technique", "bounded"]),
    by("refined", &["--technique", "refined"]),
    by("sat", &["--technique", "sat"]),
    by("sat-cached", &["--technique", "sat-cached"]),
    by("eager", &["--technique", "eager"]),
    by("kiasan", &["--technique", "kiasan"]),
    by("lissa", &["--technique", "lissa"]),
    by("engine-sat", &["--engine", "sat"]),
];

const fn by(name: &'static str, options: &'static [&'static str]) -> Configuration {
    Configuration { name, options, confirms: false }
}
