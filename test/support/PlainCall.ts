/** A read that succeeded, as an entry of the log, of no connection or member. */
export const plainCall = {
  provider: "gsc",
  target: "raw:sites.list",
  outcome: "ok",
  http_status: 200,
  error_code: null,
  latency_ms: 1,
  cost_usd: 0,
  cached: false,
  connection_id: null,
  client_id: null,
  key_id: null,
  member_id: null,
  grant_id: null,
  resource: null,
  via: null
} as const
