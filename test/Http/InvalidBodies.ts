const list = "\"provider\":\"gsc\",\"endpoint\":\"sites.list\""
const query = "\"provider\":\"gsc\",\"endpoint\":\"searchanalytics.query\""
const tool = "\"provider\":\"gsc\",\"tool\":\"gsc_top_queries\""

export const invalid: ReadonlyArray<readonly [body: string, ...paths: ReadonlyArray<string>]> = [
  ["[]", ""],
  ["{}", "provider", "endpoint"],
  [`{${list},"tool":"gsc_top_queries"}`, "endpoint"],
  [
    "{\"provider\":1,\"endpoint\":null,\"input\":[],\"connection_id\":{},\"max_age\":\"60\"}",
    "provider",
    "endpoint",
    "input",
    "connection_id",
    "max_age"
  ],
  [
    `{${list},"max-age":60,"maxAge":60,"__proto__":{},"constructor":{}}`,
    "max-age",
    "maxAge",
    "__proto__",
    "constructor"
  ],
  [`{${list},"max_age":604801}`, "max_age"],
  [`{${list},"max_age":1.5}`, "max_age"],
  [`{${list},"max_age":1e999}`, "max_age"],
  [`{${list},"input":null}`, "input"],
  [
    `{${list},"input":{"path":{},"x":1,"query":{"y":1,"__proto__":2}}}`,
    "input.x",
    "input.path",
    "input.query.y",
    "input.query.__proto__"
  ],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.get\",\"input\":{\"path\":{\"siteUrl\":\"..\"}}}", "input.path.siteUrl"],
  [
    `{${query},"input":{"path":{},"body":{"startDate":"today","dimensions":["query","x"]}}}`,
    "input.path.siteUrl",
    "input.body.startDate",
    "input.body.endDate",
    "input.body.dimensions.1"
  ],
  [`{${tool},"input":{"days":0,"page":2}}`, "input.page", "input.site", "input.days"]
]
