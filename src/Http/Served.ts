import { Context } from "effect"
import type { Groups } from "../Api/Group.ts"

/** What this instance serves. */
export class Served extends Context.Service<Served, {
  /** The routes of the core and of the features that are on. */
  readonly groups: Groups
  /** Each feature that the service knows, and whether it is on. */
  readonly features: Readonly<Record<string, boolean>>
}>()("openaccounts/Http/Served") {}
