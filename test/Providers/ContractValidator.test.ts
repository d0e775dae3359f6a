import { assert, describe, it } from "@effect/vitest"
import { equalIgnoringCase, openDiscovery, type WireRequest } from "../support/Discovery.ts"

const text = { type: "string" }
const inPath = (pattern?: string) => ({ ...text, location: "path", required: true, ...(pattern && { pattern }) })
const preview = "Developer Preview"

/** An invented service in the format of Google's discovery documents. */
const document = JSON.stringify({
  parameters: { fields: { ...text, location: "query" } },
  resources: {
    shelves: {
      methods: {
        list: {
          id: "library.shelves.list",
          httpMethod: "GET",
          path: "v1/shelves",
          parameters: { pageSize: { type: "integer", format: "int32", location: "query" } }
        },
        get: {
          id: "library.shelves.get",
          httpMethod: "GET",
          path: "v1/shelves/{shelf}",
          parameters: {
            shelf: inPath(),
            withBooks: { type: "boolean", location: "query" },
            order: { ...text, enum: ["BY_TITLE", "BY_AUTHOR"], location: "query" },
            view: { ...text, description: preview, location: "query" }
          },
          response: { $ref: "Shelf" }
        },
        sort: {
          id: "library.shelves.sort",
          httpMethod: "POST",
          path: "v1/{+name}:sort",
          parameters: { name: inPath("^shelves/[^/]+$") },
          request: { $ref: "SortRequest" }
        }
      },
      resources: {
        books: {
          methods: {
            batchGet: {
              id: "library.shelves.books.batchGet",
              httpMethod: "GET",
              path: "v1/shelves/{shelf}/books:batchGet",
              parameters: { shelf: inPath(), titles: { ...text, location: "query", repeated: true } }
            }
          }
        }
      }
    }
  },
  schemas: {
    Shelf: { type: "object", properties: { name: text, books: { type: "array", items: { type: "any" } } } },
    SortRequest: {
      type: "object",
      properties: { steps: { type: "array", items: { $ref: "Step" } }, note: { ...text, description: preview } }
    },
    Step: { type: "object", properties: { by: { ...text, enum: ["BY_TITLE"] }, limits: { $ref: "Limits" } } },
    Limits: { type: "object", properties: { most: { type: "integer", format: "int32" } } }
  }
})

const library = openDiscovery(document)

const get = (url: string): WireRequest => ({ method: "GET", url, body: "" })
const post = (url: string, body: unknown): WireRequest => ({ method: "POST", url, body: JSON.stringify(body) })
const sort = (body: unknown) => post("/v1/shelves/a:sort", body)

const refused: Record<string, readonly [WireRequest, ReadonlyArray<string>]> = {
  "an unknown query parameter": [get("/v1/shelves/a?foo=1"), ["query.foo: unknown name"]],
  "a parameter of the wrong type": [
    get("/v1/shelves/a?withBooks=1"),
    ["query.withBooks: expected a boolean, got \"1\""]
  ],
  "a repeated single parameter": [get("/v1/shelves/a?fields=a&fields=a"), ["query.fields: given twice"]],
  "an unknown enum value": [
    get("/v1/shelves/a?order=TITLE"),
    ["query.order: expected one of BY_TITLE BY_AUTHOR, got \"TITLE\""]
  ],
  "a preview parameter": [get("/v1/shelves/a?view=b"), ["query.view: for members of a preview programme alone"]],
  "a number above 32 bits": [
    get("/v1/shelves?pageSize=2147483648"),
    ["query.pageSize: expected an int32, got 2147483648"]
  ],
  "an unknown nested field": [sort({ steps: [{ limits: { least: 1 } }] }), [
    "body.steps[0].limits.least: unknown name"
  ]],
  "a preview field": [sort({ note: "a" }), ["body.note: for members of a preview programme alone"]],
  "an object instead of a list": [sort({ steps: { by: "a" } }), ["body.steps: expected an array, got {\"by\":\"a\"}"]],
  "an unexpected body": [{ ...get("/v1/shelves"), body: "{}" }, ["body: the method takes none"]]
}

describe("The fake validation of Google requests", () => {
  for (const [name, [request, faults]] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      assert.deepStrictEqual(library.read(request)?.faults, faults)
    })
  }

  for (
    const [name, request] of [
      ["another verb", { ...get("/v1/shelves/a"), method: "DELETE" }],
      ["a path value without encoding", get("/v1/shelves/a/b/books:batchGet")],
      ["a resource name that does not fit its pattern", post("/v1/rooms/a:sort", {})],
      ["an unknown verb of a resource", post("/v1/shelves/a:shuffle", {})]
    ] as const
  ) {
    it(`knows no method for ${name}`, () => {
      assert.isUndefined(library.read(request))
    })
  }

  it("reads path values decoded, and repeated parameters in order", () => {
    const read = library.read(get("/v1/shelves/a%2Fb/books:batchGet?titles=B%201&titles=A"))
    assert.deepStrictEqual(read?.faults, [])
    assert.deepStrictEqual(read?.path, { shelf: "a/b" })
    assert.deepStrictEqual(read?.query, [["titles", "B 1"], ["titles", "A"]])
  })

  it("finds faults in responses", () => {
    assert.deepStrictEqual(library.responseFaults("library.shelves.get", { name: "a", books: ["b", 1] }), [])
    assert.deepStrictEqual(library.responseFaults("library.shelves.get", { name: 1, rows: [] }), [
      "response.name: expected a string, got 1",
      "response.rows: unknown name"
    ])
  })

  it("accepts other casings of enums where the service does", () => {
    const sorted = sort({ steps: [{ by: "byTitle" }] })
    assert.isNotEmpty(library.read(sorted)?.faults ?? [])
    assert.deepStrictEqual(openDiscovery(document, equalIgnoringCase).read(sorted)?.faults, [])
  })
})
