import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

/**
 * Who may use a route of the management API.
 *
 * - `admin`: the admin token and sessions of admins.
 * - `member`: also sessions of other members, for their own keys and grants and for their clients alone.
 */
export type Right = "admin" | "member"

export const rights: Readonly<Record<string, Right>> = {
  "POST /admin/v1/clients": "admin",
  "GET /admin/v1/clients": "member",

  "POST /admin/v1/members": "admin",
  "GET /admin/v1/members": "admin",
  "PATCH /admin/v1/members/:id": "admin",
  "DELETE /admin/v1/members/:id": "admin",
  "POST /admin/v1/members/:id/links": "admin",

  "POST /admin/v1/keys": "member",
  "GET /admin/v1/keys": "member",
  "DELETE /admin/v1/keys/:id": "member",

  "GET /admin/v1/grants": "member",
  "GET /admin/v1/grants/:id": "member",
  "PATCH /admin/v1/grants/:id": "member",
  "DELETE /admin/v1/grants/:id": "member",

  "POST /admin/v1/connections": "member",
  "GET /admin/v1/connections": "member",
  "PUT /admin/v1/connections/:id/credentials": "member",
  "DELETE /admin/v1/connections/:id": "admin",
  "POST /admin/v1/connections/:id/test": "member",
  "POST /admin/v1/connect": "member",

  "POST /admin/v1/connect-links": "member",
  "GET /admin/v1/connect-links": "member",
  "DELETE /admin/v1/connect-links/:id": "member",

  "POST /admin/v1/webhooks": "admin",
  "GET /admin/v1/webhooks": "admin",
  "GET /admin/v1/webhooks/:id": "admin",
  "PATCH /admin/v1/webhooks/:id": "admin",
  "DELETE /admin/v1/webhooks/:id": "admin",
  "POST /admin/v1/webhooks/:id/test": "admin",
  "GET /admin/v1/webhooks/:id/deliveries": "admin",
  "POST /admin/v1/webhooks/:id/deliveries/:delivery_id/redeliver": "admin",

  "GET /admin/v1/audit": "admin",
  "GET /admin/v1/logs": "admin",
  "GET /admin/v1/logs/:call_id": "admin",
  "GET /admin/v1/stats": "admin",
  "POST /admin/v1/encryption/rotate": "admin"
}

export const routeOf = ({ method, path }: Pick<HttpApiEndpoint.Top, "method" | "path">): string =>
  `${method} ${path.replace(/(?<=.)\/$/, "")}`

export const rightOf = (endpoint: Pick<HttpApiEndpoint.Top, "method" | "path">): Right =>
  rights[routeOf(endpoint)] ?? "admin"
