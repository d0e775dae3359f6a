import { Option } from "effect"

export interface Route {
  readonly method: "GET" | "POST" | "PUT"
  /** `{name}` matches one percent-encoded segment, or the part of it before a literal `:verb`. */
  readonly path: `/${string}`
}

interface RouteMatch<R extends Route> {
  readonly route: R
  readonly params: Readonly<Record<string, string>>
}

export const makeMatcher = <R extends Route>(routes: ReadonlyArray<R>) => {
  const patterns = routes.map((route) => ({ route, pattern: patternOf(route.path) }))
  return (method: string, path: string): Option.Option<RouteMatch<R>> => {
    for (const { pattern, route } of patterns) {
      const match = route.method === method ? pattern.exec(path) : null
      if (match !== null) return Option.map(decodeAll(match.groups ?? {}), (params) => ({ route, params }))
    }
    return Option.none()
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", String.raw`\.`).replace(/\{(\w+)\}/g, "(?<$1>[^/]+?)")}$`)

const decodeAll = Option.liftThrowable((groups: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
)
