import { providerDocuments, recordedTraffic } from "./OutsideFolder.ts"

/** Says once what a run leaves out, because reporters list no skipped tests. */
export const setup = (): void => {
  const outside = [
    ["recorded traffic", recordedTraffic.absence],
    ["provider documents", providerDocuments.absence]
  ] as const
  for (const [tests, absence] of outside) {
    if (absence !== "") process.stdout.write(`Tests of ${tests}${absence}\n`)
  }
}
