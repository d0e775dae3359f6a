import { providers } from "../../src/Server.ts"
import { callOptionsSource } from "./CallOptionsSource.ts"
import { pascalCase } from "./Names.ts"
import { operationsSource } from "./OperationsSource.ts"
import { resourcesSource } from "./ResourcesSource.ts"
import { responsesSource } from "./ResponsesSource.ts"

/** The source of each module in `src/Client/Generated` by its name. */
export const clientModules = (): Readonly<Record<string, string>> => ({
  CallOptions: callOptionsSource(),
  Resources: resourcesSource(),
  ...Object.fromEntries(providers.flatMap((provider) => {
    const name = pascalCase([provider.id])
    const responses = responsesSource(provider)
    return [
      [name, operationsSource(provider, responses === undefined ? ".." : ".")],
      ...responses === undefined ? [] : [[`${name}Responses`, responses]]
    ]
  }))
})
