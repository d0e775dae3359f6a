import { readReference } from "./ExternalReference.ts"

export interface SpecifiedOperation {
  readonly name: string
  readonly writes: boolean
}

export interface SpecifiedProvider {
  readonly id: string
  readonly endpoints: ReadonlyArray<SpecifiedOperation>
  readonly tools: ReadonlyArray<SpecifiedOperation>
}

export const specifiedProviders = (): ReadonlyArray<SpecifiedProvider> => {
  const text = readReference("SPEC.md")
  const table = between(text, "- Providers and their operations:", "### Operation descriptions")
  const descriptions = between(text, "### Operation descriptions", "## 2.")
  return rows(table, /^\| `(\w+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm).map(([id, endpoints, tools]) => {
    const described = new Map(
      rows(between(descriptions, `**${id}**`, "\n**"), /^\| `([^`]+)` \| (.+) \|$/gm)
        .map(([name, description]) => [name, description] as const)
    )
    const operations = (cell: string) =>
      rows(cell, /`([^`]+)`/g).map(([name]) => {
        const description = described.get(name)
        if (description === undefined) throw new Error(`The specification does not describe ${name}`)
        return { name, writes: describesWrite(description) }
      })
    return { id, endpoints: operations(endpoints), tools: operations(tools) }
  })
}

const describesWrite = (description: string): boolean =>
  /\bWrites data\.$|^(?:Appends|Applies|Clears|Creates|Inserts|Overwrites|Replaces|Structural changes|Submits)\b/
    .test(description)

const between = (text: string, start: string, end: string): string => {
  const [, after = ""] = text.split(start, 2)
  const [inside = ""] = after.split(end, 1)
  return inside
}

const rows = (text: string, row: RegExp): ReadonlyArray<readonly [string, string, string]> =>
  [...text.matchAll(row)].map(([, first = "", second = "", third = ""]) => [first, second, third])
