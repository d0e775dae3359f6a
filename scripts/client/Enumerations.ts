import { providers } from "../../src/Registrations.ts"
import type { GeneratedFile } from "../Formatted.ts"
import { readDocument } from "../schemas/Discovery.ts"
import { responsesSource } from "./ResponsesSource.ts"

const documents: Readonly<Record<string, ReadonlyArray<string>>> = {
  gsc: ["searchconsole-v1"],
  ga4: ["analyticsdata-v1beta", "analyticsadmin-v1beta"],
  gsheets: ["sheets-v4"],
  gdocs: ["docs-v1"]
}

/** The values of the enumerations in responses, which only Google's documents have. */
export const enumerationsFile = (discovery: string): GeneratedFile => {
  const lines = providers.flatMap((provider) => {
    const known = new Map<string, ReadonlyArray<string>>(
      (documents[provider.id] ?? []).flatMap((name) =>
        Object.entries(readDocument(discovery, name).schemas).flatMap(([message, { properties = {} }]) =>
          Object.entries(properties).flatMap(([field, property]) => {
            const values = property.enum ?? property.items?.enum
            return values === undefined ? [] : [[`${message}.${field}`, values] as const]
          })
        )
      )
    )
    const used: Array<string> = []
    responsesSource(provider, (field) => {
      const values = known.get(field)
      if (values !== undefined) used.push(`  "${provider.id}.${field}": ${JSON.stringify(values)}`)
      return values
    })
    return used
  })
  return { path: "scripts/client/enumerations.json", source: `{\n${lines.toSorted().join(",\n")}\n}\n` }
}
