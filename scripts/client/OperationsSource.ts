import { jsonSchemaOf } from "../../src/Providers/Catalog/JsonSchema.ts"
import type { Provider } from "../../src/Providers/Provider.ts"
import { endpointPath, pascalCase, toolPath } from "./Names.ts"
import { declaration } from "./TypeSource.ts"

interface ClientOperation {
  readonly path: ReadonlyArray<string>
  readonly description: string
  readonly type: string
  readonly value: string
}

interface Tree {
  [name: string]: Tree | ClientOperation
}

/** `responsesFolder` has the types of the responses of raw endpoints. */
export const operationsSource = (provider: Provider, responsesFolder: string): string => {
  const types = new Map<string, string>()
  const declare = (name: string, schema: ReturnType<typeof jsonSchemaOf>) => {
    const { $defs = {}, ...own } = schema
    for (const [each, definition] of [...Object.entries(Object($defs)), [name, own] as const]) {
      const source = declaration(each, { ...Object(definition) })
      if ((types.get(each) ?? source) !== source) throw new Error(`${provider.id} has two types ${each}`)
      types.set(each, source)
    }
    return name
  }
  const sourceOf = (
    { input, output, path }: {
      readonly path: ReadonlyArray<string>
      readonly input: ReturnType<typeof jsonSchemaOf>
      readonly output: string
    },
    target: { readonly endpoint?: string; readonly tool?: string; readonly writes: boolean }
  ) => {
    const types = `<${declare(`${pascalCase(path)}Input`, input)}, ${output}>`
    return {
      type: `${input["required"] === undefined ? "OptionalOperation" : "Operation"}${types}`,
      value: `operation${types}(${JSON.stringify({ provider: provider.id, ...target })})`
    }
  }

  const responses = `${pascalCase([provider.id])}Responses`
  const operations: ReadonlyArray<ClientOperation> = [
    ...provider.tools.map(({ description, input, name, output, writes }) => {
      const path = toolPath(name)
      return {
        path,
        description,
        ...sourceOf({
          path,
          input: jsonSchemaOf(input),
          output: declare(`${pascalCase(path)}Output`, jsonSchemaOf(output))
        }, { tool: name, writes })
      }
    }),
    ...provider.endpoints.map(({ description, id, input, writes }) => {
      const path = endpointPath(id)
      return {
        path,
        description,
        ...sourceOf({
          path,
          input: jsonSchemaOf(input),
          output: `${responses}[${JSON.stringify(id)}]`
        }, { endpoint: id, writes })
      }
    })
  ]
  const tree: Tree = {}
  for (const operation of operations) insert(tree, operation.path, operation)

  const name = pascalCase([provider.id])
  const used = ["Operation", "OptionalOperation"].filter((each) =>
    operations.some(({ type }) => type.startsWith(`${each}<`))
  )
  return [
    `import type { MakeOperation, ${used.join(", ")} } from "../Operation.ts"`,
    `import type { ${responses} } from "${responsesFolder}/${responses}.ts"`,
    "",
    ...types.values(),
    `export interface ${name} ${
      treeSource(
        tree,
        ({ description, type }) => ({ comment: `/** ${description} */\n`, source: type }),
        "readonly ",
        "\n"
      )
    }`,
    "",
    `export const ${provider.id} = (operation: MakeOperation): ${name} => (${
      treeSource(tree, ({ value }) => ({ comment: "", source: value }), "", ",\n")
    })`,
    ""
  ].join("\n")
}

const isOperation = (node: Tree | ClientOperation): node is ClientOperation => Array.isArray(node["path"])

const insert = (tree: Tree, [name = "", ...rest]: ReadonlyArray<string>, operation: ClientOperation): void => {
  const found = tree[name]
  if (rest.length === 0 && found === undefined) {
    tree[name] = operation
    return
  }
  if (rest.length === 0 || (found !== undefined && isOperation(found))) {
    throw new Error(`Two operations have the name ${operation.path.join(".")}`)
  }
  insert(tree[name] = found ?? {}, rest, operation)
}

const treeSource = (
  tree: Tree,
  leaf: (operation: ClientOperation) => { readonly comment: string; readonly source: string },
  modifier: string,
  separator: string
): string =>
  `{\n${
    Object.entries(tree).map(([name, node]) => {
      if (!isOperation(node)) return `${modifier}${name}: ${treeSource(node, leaf, modifier, separator)}`
      const { comment, source } = leaf(node)
      return `${comment}${modifier}${name}: ${source}`
    }).join(separator)
  }\n}`
