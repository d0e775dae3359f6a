import type { TestAPI } from "vitest"
import type { RunningSandbox } from "./Types.js"

/** Each test has a sandbox of its own. */
export declare const test: TestAPI<{ sandbox: RunningSandbox }>
