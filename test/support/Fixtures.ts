import { recordedTraffic } from "./OutsideFolder.ts"

export const fixture = (file: `${string}/${string}.json`): unknown => JSON.parse(recordedTraffic.read(file))
