import type { Issue } from "./Issue.ts"

type Path = Issue["path"]

export interface ValidationSample {
  readonly input: unknown
  readonly restore: (issues: ReadonlyArray<Issue>) => ReadonlyArray<Issue>
}

/**
 * At most `limit` values around the failure at `path`: arrays on the path start at it, objects on it lose large fields.
 */
export const makeSample = (input: unknown, path: Path, limit: number): ValidationSample | undefined => {
  let left = limit
  const fits = (value: unknown): boolean => {
    const count = countValues(value, left)
    if (count > left) return false
    left -= count
    return true
  }

  const cut = (value: unknown, depth: number): unknown => {
    const key = path[depth]
    if (key === undefined || typeof value !== "object" || value === null) return fits(value) ? value : tooLarge
    if (Array.isArray(value)) {
      const failing = Number(key)
      const first = cut(value[failing], depth + 1)
      if (first === tooLarge) return tooLarge
      let end = failing + 1
      while (end < value.length && fits(value[end])) end++
      return [first, ...value.slice(failing + 1, end)]
    }
    const fields: Array<[string, unknown]> = []
    const failing = Object.hasOwn(value, key) ? cut(Reflect.get(value, key), depth + 1) : undefined
    if (failing === tooLarge) return tooLarge
    for (const [name, field] of Object.entries(value)) {
      if (name === key) fields.push([name, failing])
      else if (left > 0 && fits(field)) fields.push([name, field])
    }
    return Object.fromEntries(fields)
  }

  const sample = cut(input, 0)
  if (sample === tooLarge) return undefined

  const restorePath = (sampled: Path): Path | undefined => {
    const restored = [...sampled]
    let whole = input
    let part = sample
    for (const [depth, segment] of sampled.entries()) {
      if (typeof whole !== "object" || whole === null || typeof part !== "object" || part === null) break
      if (Array.isArray(whole)) restored[depth] = Number(segment) + Number(path[depth])
      const key = restored[depth] ?? segment
      if (Object.hasOwn(whole, key) && !Object.hasOwn(part, segment)) return undefined
      if (key !== path[depth]) break
      whole = Reflect.get(whole, key)
      part = Reflect.get(part, segment)
    }
    return restored
  }

  return {
    input: sample,
    restore: (issues) =>
      issues.flatMap(({ message, path }) => {
        const restored = restorePath(path)
        return restored === undefined ? [] : [{ path: restored, message }]
      })
  }
}

const tooLarge = Symbol("too large")

export const countValues = (json: unknown, limit: number): number => {
  let count = 0
  const visit = (value: unknown): boolean => {
    if (++count > limit) return false
    if (typeof value !== "object" || value === null) return true
    return Array.isArray(value) ? value.every(visit) : Object.values(value).every(visit)
  }
  visit(json)
  return count
}
