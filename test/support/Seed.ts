import { configureGlobal, readConfigureGlobal } from "fast-check"

/** Property tests use the same seed in every run. `SEED` sets another one. */
configureGlobal({ ...readConfigureGlobal(), seed: Number(process.env["SEED"] ?? 20_261_121) })
