import type { EndpointCalls } from "./EndpointCalls.ts"
import { ga4Calls } from "./Ga4Calls.ts"
import { gdocsCalls } from "./GdocsCalls.ts"
import { gscCalls } from "./GscCalls.ts"
import { gsheetsCalls } from "./GsheetsCalls.ts"

/** Every endpoint of the Google providers, each called in plain and in awkward ways. */
export const googleCalls: ReadonlyArray<EndpointCalls> = [...gscCalls, ...ga4Calls, ...gsheetsCalls, ...gdocsCalls]
