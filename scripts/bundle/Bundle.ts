import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { rolldown } from "rolldown"
import { pathFrom } from "../../src/SourceDigest.ts"

/** Effect and what it brings take part in every call. Other dependencies are loaded on demand, or have files beside them. */
const isBundled = (name: string) => /^(effect|@effect\/.+|cli-table3)$/.test(name)

const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")
)
const external = Object.keys(dependencies).filter((name) => !isBundled(name))

/**
 * Bundles the module `main` and its imports into one file of that name in `folder`. Returns the paths of the bundled
 * modules without those of dependencies.
 */
export const bundle = async (main: string, folder: string): Promise<ReadonlyArray<string>> => {
  const ofService = new RegExp(`^${RegExp.escape(dirname(main))}`)
  const built = await rolldown({
    input: main,
    platform: "node",
    checks: { ineffectiveDynamicImport: false },
    external: external.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [{
      name: "source-urls",
      transform: {
        filter: { id: ofService, code: "import.meta.url" },
        // Threads and files are found from the module that names them.
        handler: (code, id) =>
          code.replaceAll("import.meta.url", `new URL(${JSON.stringify(pathFrom(folder, id))}, import.meta.url).href`)
      }
    }]
  })
  const { output } = await built.write({
    dir: folder,
    format: "esm",
    cleanDir: true,
    comments: { annotation: false, jsdoc: false },
    // Imports between two files would be variables again.
    codeSplitting: { groups: [{ name: "service" }] }
  })
  await built.close()
  const modules = output.flatMap((chunk) => chunk.type === "chunk" ? chunk.moduleIds : [])
  return modules.filter((id) => ofService.test(id))
}
