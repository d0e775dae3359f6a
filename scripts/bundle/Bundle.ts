import { readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { type Plugin, rolldown } from "rolldown"

/** Effect and what it brings take part in every call. Other dependencies are loaded on demand, or have files beside them. */
const isBundled = (name: string) => /^(effect|@effect\/.+|cli-table3)$/.test(name)

const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")
)
const external = Object.keys(dependencies).filter((name) => !isBundled(name))

const pathFrom = (folder: string, file: string) => relative(folder, file).split(sep).join("/")

/** Threads and files are found from the module that refers to them. */
export const sourceUrls = (folder: string, modules: RegExp): Plugin => ({
  name: "source-urls",
  transform: {
    filter: { id: modules, code: "import.meta.url" },
    handler: (code, id) =>
      code.replaceAll("import.meta.url", `new URL(${JSON.stringify(pathFrom(folder, id))}, import.meta.url).href`)
  }
})

/**
 * Bundles the module `main` and its imports into `folder`. One file of that name has what a server loads when it starts.
 * Others have what is imported later.
 */
export const bundle = async (main: string, folder: string): Promise<void> => {
  const ofService = new RegExp(`^${RegExp.escape(dirname(main))}`)
  const loadedAtStart = new Set<string>()
  const built = await rolldown({
    input: main,
    platform: "node",
    checks: { ineffectiveDynamicImport: false },
    external: external.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [{
      name: "loaded-at-start",
      buildEnd() {
        const visit = (id: string): void => {
          if (loadedAtStart.has(id)) return
          loadedAtStart.add(id)
          this.getModuleInfo(id)?.importedIds.forEach(visit)
        }
        for (const id of this.getModuleIds()) if (id === main || /\/Commands\/Serve\.[jt]s$/.test(id)) visit(id)
      }
    }, sourceUrls(folder, ofService)]
  })
  await built.write({
    dir: folder,
    format: "esm",
    cleanDir: true,
    comments: { annotation: false, jsdoc: false },
    // Imports between two files would be variables again.
    codeSplitting: { groups: [{ name: "service", test: (id) => loadedAtStart.has(id) }] }
  })
  await built.close()
}
