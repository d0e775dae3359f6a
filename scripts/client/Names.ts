/**
 * The names of operations in the client. A raw endpoint keeps its id in camel case: `values.batchGet`, `getUserSites`.
 * A tool loses the first word: `gsc_top_queries` is `topQueries`.
 */
export const endpointPath = (id: string): ReadonlyArray<string> =>
  id.split(".").map((word) => word.charAt(0).toLowerCase() + word.slice(1))

export const toolPath = (name: string): ReadonlyArray<string> => [camelCase(name.slice(name.indexOf("_") + 1))]

export const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export const pascalCase = (path: ReadonlyArray<string>): string =>
  path.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
