export const invalid: ReadonlyArray<readonly [body: string, paths: ReadonlyArray<string>]> = [
  ["[]", [""]],
  ["null", [""]],
  ["\"gsc\"", [""]],
  ["{}", ["provider", "endpoint"]],
  ["{\"provider\":\"gsc\"}", ["endpoint"]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"tool\":\"gsc_top_queries\"}", ["endpoint"]],
  ["{\"endpoint\":\"sites.list\"}", ["provider"]],
  ["{\"provider\":1,\"endpoint\":null,\"input\":[],\"connection_id\":{},\"max_age\":\"60\"}", [
    "provider",
    "endpoint",
    "input",
    "connection_id",
    "max_age"
  ]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"max-age\":60,\"maxAge\":60}", ["max-age", "maxAge"]],
  ["{\"provider\":\"gsc\",\"max-age\":60}", ["max-age", "endpoint"]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"__proto__\":{}}", ["__proto__"]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"constructor\":{}}", ["constructor"]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"max_age\":-1}", ["max_age"]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"max_age\":604801}", ["max_age"]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"max_age\":1.5}", ["max_age"]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"max_age\":1e999}", ["max_age"]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"input\":null}", ["input"]],
  [
    "{\"provider\":\"gsc\",\"endpoint\":\"sites.list\",\"input\":{\"path\":{},\"x\":1,\"query\":{\"y\":1,\"__proto__\":2}}}",
    [
      "input.x",
      "input.path",
      "input.query.y",
      "input.query.__proto__"
    ]
  ],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.get\"}", ["input.path"]],
  ["{\"provider\":\"gsc\",\"endpoint\":\"sites.get\",\"input\":{\"path\":{\"siteUrl\":\"..\"}}}", [
    "input.path.siteUrl"
  ]],
  [
    "{\"provider\":\"gsc\",\"endpoint\":\"searchanalytics.query\",\"input\":{\"path\":{},\"body\":{\"startDate\":\"today\",\"dimensions\":[\"query\",\"x\"]}}}",
    ["input.path.siteUrl", "input.body.startDate", "input.body.endDate", "input.body.dimensions.1"]
  ],
  ["{\"provider\":\"gsc\",\"tool\":\"gsc_top_queries\"}", ["input.site"]],
  ["{\"provider\":\"gsc\",\"tool\":\"gsc_top_queries\",\"input\":{\"days\":0,\"page\":2}}", [
    "input.page",
    "input.site",
    "input.days"
  ]]
]
