import { providers } from "../../src/Registrations.ts"
import { callOptionsSource } from "./CallOptionsSource.ts"
import enumerationsJson from "./enumerations.json" with { type: "json" }
import { pascalCase } from "./Names.ts"
import { operationsSource } from "./OperationsSource.ts"
import { resourcesSource } from "./ResourcesSource.ts"
import { responsesSource } from "./ResponsesSource.ts"

const enumerations = new Map<string, ReadonlyArray<string>>(Object.entries(enumerationsJson))

/** The source of each module in `src/Client/Generated` by its name. */
export const clientModules = (): Readonly<Record<string, string>> => ({
  CallOptions: callOptionsSource(),
  Resources: resourcesSource(),
  ...Object.fromEntries(providers.flatMap((provider) => {
    const name = pascalCase([provider.id])
    const responses = responsesSource(provider, (field) => enumerations.get(`${provider.id}.${field}`))
    return [
      [name, operationsSource(provider, responses === undefined ? ".." : ".")],
      ...responses === undefined ? [] : [[`${name}Responses`, responses]]
    ]
  }))
})
