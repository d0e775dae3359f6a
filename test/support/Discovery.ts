import { Predicate, Record, Schema } from "effect"
import { DiscoverySchema, isPreview } from "../../scripts/schemas/Discovery.ts"
import { providerDocuments } from "./OutsideFolder.ts"

const files = {
  gsc: "searchconsole-v1.json",
  ga4Data: "analyticsdata-v1beta.json",
  ga4Admin: "analyticsadmin-v1beta.json",
  gsheets: "sheets-v4.json",
  gdocs: "docs-v1.json"
} as const
export type GoogleOrigin = keyof typeof files

const Parameter = Schema.Struct({
  type: Schema.String,
  format: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  location: Schema.Literals(["path", "query"]),
  required: Schema.optionalKey(Schema.Boolean),
  repeated: Schema.optionalKey(Schema.Boolean),
  enum: Schema.optionalKey(Schema.Array(Schema.String)),
  pattern: Schema.optionalKey(Schema.String)
})
type Parameter = typeof Parameter.Type
const Parameters = Schema.Record(Schema.String, Parameter)

const Method = Schema.Struct({
  id: Schema.String,
  httpMethod: Schema.String,
  path: Schema.String,
  parameters: Schema.optionalKey(Parameters),
  request: Schema.optionalKey(Schema.Struct({ $ref: Schema.String })),
  response: Schema.optionalKey(Schema.Struct({ $ref: Schema.String })),
  scopes: Schema.optionalKey(Schema.Array(Schema.String))
})
export type Method = typeof Method.Type

interface Resource {
  readonly methods?: Readonly<Record<string, Method>>
  readonly resources?: Readonly<Record<string, Resource>>
}
const Resource: Schema.Codec<Resource> = Schema.Struct({
  methods: Schema.optionalKey(Schema.Record(Schema.String, Method)),
  resources: Schema.optionalKey(Schema.Record(Schema.String, Schema.suspend((): Schema.Codec<Resource> => Resource)))
})

const Document = Schema.fromJsonString(Schema.Struct({
  parameters: Parameters,
  resources: Schema.Record(Schema.String, Resource),
  schemas: Schema.Record(Schema.String, DiscoverySchema)
}))

export interface WireRequest {
  readonly method: string
  /** Path and query, such as `/v4/spreadsheets/…?fields=…`. */
  readonly url: string
  readonly body: string
}

export interface ReadRequest {
  readonly id: string
  readonly path: Readonly<Record<string, string>>
  readonly query: ReadonlyArray<readonly [string, string]>
  readonly body: unknown
  /** Reasons why Google would refuse the request, one line each. */
  readonly faults: ReadonlyArray<string>
}

export interface Discovery {
  readonly methods: ReadonlyArray<Method>
  readonly schemas: Readonly<Record<string, DiscoverySchema>>
  /** `undefined` for an unknown method, to which Google responds with a 404 in HTML. */
  readonly read: (request: WireRequest) => ReadRequest | undefined
  readonly responseFaults: (id: string, body: unknown) => ReadonlyArray<string>
}

const opened: { [Origin in GoogleOrigin]?: Discovery } = {}

export const discovery = (origin: GoogleOrigin): Discovery => (opened[origin] ??= openDiscovery(
  providerDocuments.read("discovery", files[origin]),
  origin === "gsc" ? equalIgnoringCase : undefined
))

/** Finds nothing without the documents, so that the rest of a test needs none. */
export const requestFaults = (origin: GoogleOrigin, request: WireRequest): ReadonlyArray<string> =>
  providerDocuments.isAbsent ? [] : discovery(origin).read(request)?.faults ?? ["not a method"]

/** Finds nothing without the documents, so that the rest of a test needs none. */
export const responseFaults = (origin: GoogleOrigin, id: string, body: unknown): ReadonlyArray<string> =>
  providerDocuments.isAbsent ? [] : discovery(origin).responseFaults(id, body)

export const openDiscovery = (
  text: string,
  sameSpelling: DiscoveryRules["sameSpelling"] = (value, documented) => value === documented
): Discovery => {
  const document = Schema.decodeUnknownSync(Document)(text)
  const methods = Object.values(document.resources).flatMap(listMethods)
  const rules: Omit<DiscoveryRules, "previews"> = { schemas: document.schemas, sameSpelling }
  const routes = methods.map((method) => ({ method, pattern: pathPattern(method.path) }))

  return {
    methods,
    schemas: document.schemas,
    read: ({ body, method: verb, url }) => {
      const { pathname, searchParams } = new URL(url, "http://upstream")
      for (const { method, pattern } of routes) {
        const found = verb === method.httpMethod ? pattern.exec(pathname) : null
        if (found === null) continue
        const path = Record.map({ ...found.groups }, decodeURIComponent)
        const parameters = method.parameters ?? {}
        if (!Object.entries(path).every(([name, value]) => fits(parameters[name], value))) continue
        const request = { ...rules, previews: "refused" as const }
        const query = [...searchParams]
        return {
          id: method.id,
          path,
          query,
          body: body === "" ? undefined : JSON.parse(body),
          faults: [
            ...queryFaults(request, { ...document.parameters, ...parameters }, query),
            ...bodyFaults(request, method, body)
          ]
        }
      }
      return undefined
    },
    responseFaults: (id, body) => {
      const response = methods.find((method) => method.id === id)?.response
      return response === undefined
        ? [`${id} is not a method with a response`]
        : findFaults({ ...rules, previews: "accepted" }, response, body, "response")
    }
  }
}

const listMethods = ({ methods = {}, resources = {} }: Resource): ReadonlyArray<Method> => [
  ...Object.values(methods),
  ...Object.values(resources).flatMap(listMethods)
]

/** `{x}` is one encoded segment, `{+x}` may contain slashes. */
const pathPattern = (template: string) =>
  new RegExp(
    `^/${
      template
        .replaceAll(/[.*?()[\]$^|]/g, String.raw`\$&`)
        .replaceAll(/\{\+(\w+)\}/g, "(?<$1>[^:]+)")
        .replaceAll(/\{(\w+)\}/g, "(?<$1>[^/:]+)")
    }$`
  )

const fits = (parameter: Parameter | undefined, value: string) =>
  parameter?.pattern === undefined || new RegExp(parameter.pattern).test(value)

export const equalIgnoringCase = (value: string, documented: string) =>
  value.replaceAll("_", "").toLowerCase() === documented.replaceAll("_", "").toLowerCase()

const queryFaults = (
  rules: DiscoveryRules,
  parameters: Readonly<Record<string, Parameter>>,
  query: ReadonlyArray<readonly [string, string]>
): ReadonlyArray<string> => [
  ...query.flatMap(([name, value], index) => {
    const parameter = parameters[name]
    if (parameter?.location !== "query") return [`query.${name}: unknown name`]
    if (isPreview(parameter)) return [`query.${name}: for members of a preview programme alone`]
    const again = parameter.repeated !== true && query.findIndex(([other]) => other === name) < index
    return [
      ...(again ? [`query.${name}: given twice`] : []),
      ...findFaults(rules, parameter, parsed(parameter, value), `query.${name}`)
    ]
  }),
  ...Object.entries(parameters)
    .filter(([name, { location, required }]) =>
      location === "query" && required === true && !query.some(([given]) => given === name)
    )
    .map(([name]) => `query.${name}: required`)
]

const parsed = ({ type }: Parameter, value: string): unknown => {
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true"
  return type === "integer" && /^-?\d+$/.test(value) ? Number(value) : value
}

const bodyFaults = (rules: DiscoveryRules, { request }: Method, body: string): ReadonlyArray<string> => {
  if (request === undefined) return body === "" ? [] : ["body: the method takes none"]
  return findFaults(rules, request, body === "" ? {} : JSON.parse(body), "body")
}

export interface DiscoveryRules {
  readonly schemas: Readonly<Record<string, DiscoverySchema>>
  /** Search Console uses `byPage` where its document says `BY_PAGE`. */
  readonly sameSpelling: (value: string, documented: string) => boolean
  readonly previews: "refused" | "accepted"
}

/** One line per fault, starting with its path. */
export const findFaults = (
  rules: DiscoveryRules,
  property: DiscoverySchema,
  value: unknown,
  at: string
): ReadonlyArray<string> => {
  const fault = (expected: string) => [`${at}: expected ${expected}, got ${JSON.stringify(value)}`]
  const matches = (pattern: RegExp) => Predicate.isString(value) && pattern.test(value)

  if (property.$ref !== undefined) {
    const schema = rules.schemas[property.$ref]
    return schema === undefined ? [`${at}: unknown schema ${property.$ref}`] : findFaults(rules, schema, value, at)
  }
  if (property.enum !== undefined) {
    const known = Predicate.isString(value) && property.enum.some((name) => rules.sameSpelling(value, name))
    return known ? [] : fault(`one of ${property.enum.join(" ")}`)
  }
  switch (`${property.type} ${property.format ?? ""}`.trim()) {
    case "any":
      return []
    case "string":
      return Predicate.isString(value) ? [] : fault("a string")
    case "string int64":
      return Number.isSafeInteger(value) || matches(/^-?\d{1,19}$/) ? [] : fault("an int64")
    case "string google-datetime":
      return matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/) ? [] : fault("a timestamp")
    case "string google-fieldmask":
      return matches(/^(\*|[\w.*]+(,[\w.*]+)*)?$/) ? [] : fault("a field mask")
    case "boolean":
      return Predicate.isBoolean(value) ? [] : fault("a boolean")
    case "integer int32":
      return Number.isInteger(value) && Object.is(Number(value), Number(value) | 0) ? [] : fault("an int32")
    case "number double":
    case "number float":
      return Number.isFinite(value) ? [] : fault("a number")
    case "array":
      return Array.isArray(value)
        ? value.flatMap((each, index) => findFaults(rules, property.items ?? {}, each, `${at}[${index}]`))
        : fault("an array")
    case "object":
      return Predicate.isObject(value) && !Array.isArray(value)
        ? Object.entries(value).flatMap(([name, each]) => memberFaults(rules, property, name, each, `${at}.${name}`))
        : fault("an object")
    default:
      return [`${at}: ${property.type} of format ${property.format} is not supported`]
  }
}

const memberFaults = (rules: DiscoveryRules, owner: DiscoverySchema, name: string, value: unknown, at: string) => {
  const member = Object.hasOwn(owner.properties ?? {}, name) ? owner.properties?.[name] : owner.additionalProperties
  if (member === undefined) return [`${at}: unknown name`]
  if (rules.previews === "refused" && isPreview(member)) return [`${at}: for members of a preview programme alone`]
  return findFaults(rules, member, value, at)
}
