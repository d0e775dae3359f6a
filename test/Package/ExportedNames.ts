import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** The names that a TypeScript file exports, and whether each is only a type. */
export const exportedNames = (file: string): ReadonlyMap<string, boolean> => {
  const source = readFileSync(file, "utf8")
  const declared = source.matchAll(/^export (?:abstract )?(class|const|function|interface|type) (\w+)/gm)
  const listed = source.matchAll(/^export (type )?\{([^}]+)\}/gm)
  const wholeFiles = source.matchAll(/^export \* from "([^"]+)"/gm)
  return new Map([
    ...[...declared].map(([, kind = "", name = ""]) => [name, /interface|type/.test(kind)] as const),
    ...[...listed].flatMap(([, type, names = ""]) =>
      [...names.matchAll(/(type )?(\w+)(?:,|\s*$)/g)].map(([, ownType, name = ""]) =>
        [name, (type ?? ownType) !== undefined] as const
      )
    ),
    ...[...wholeFiles].flatMap(([, path = ""]) => [...exportedNames(join(dirname(file), path))])
  ])
}
