import { Context } from "effect"
import type { ManageArea } from "../Domain/Request/ManagementScope.ts"

/**
 * Who may use an endpoint of the management API. Endpoints without the annotation are for admins.
 *
 * - `admin`: the admin token and sessions of admins.
 * - `member`: also sessions of other members, for their own keys and grants and for their clients only.
 */
export const Right = Context.Reference<"admin" | "member">("openaccounts/Api/Right", { defaultValue: () => "admin" })

/** What an API key needs in its `manage` to use the endpoint. Without the annotation, no key may. */
export const Area = Context.Reference<ManageArea | null>("openaccounts/Api/Right/Area", { defaultValue: () => null })

/** Whether a request reaches a provider or a receiver. Sessions may make fewer of these requests. */
export const IsTest = Context.Reference<boolean>("openaccounts/Api/Right/IsTest", { defaultValue: () => false })
