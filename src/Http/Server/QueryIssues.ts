import type { Issue } from "../../Domain/Validation/Issue.ts"

/** Replaces the messages about parameters that `url` has more than once. */
export const withRepeated = (issues: ReadonlyArray<Issue>, url: string): ReadonlyArray<Issue> => {
  const repeated = repeatedNames(url)
  return issues.map((issue) =>
    repeated.has(String(issue.path[0])) ? { ...issue, message: "Given more than once; pass it once" } : issue
  )
}

export const repeatedNames = (url: string): ReadonlySet<string> => {
  const names = [...new URL(url, "http://localhost").searchParams.keys()]
  return new Set(names.filter((name, index) => names.indexOf(name) !== index))
}
