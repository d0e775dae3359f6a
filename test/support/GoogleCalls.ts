import type { EndpointCalls } from "./EndpointCalls.ts"
import { ga4Calls } from "./Ga4Calls.ts"
import { gdocsCalls } from "./GdocsCalls.ts"
import { gscCalls } from "./GscCalls.ts"
import { gsheetsCalls } from "./GsheetsCalls.ts"

export const googleCalls: ReadonlyArray<EndpointCalls> = [...gscCalls, ...ga4Calls, ...gsheetsCalls, ...gdocsCalls]
