/* In the place of the one that its configure writes: the flags in engine.toml say it all. */
