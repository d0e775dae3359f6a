import { configureGlobal, readConfigureGlobal } from "fast-check"

/**
 * Property tests try the same values in every run, so that a failure is a change's and not the day's. Another `SEED`
 * tries others.
 */
configureGlobal({ ...readConfigureGlobal(), seed: Number(process.env["SEED"] ?? 20_261_121) })
