/**
 * Bundles the service and its command line into `dist/service` if their sources have changed. Does nothing without
 * Rolldown, as in an installation without development packages.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isFresh, markFresh, pathFrom } from "../../src/SourceDigest.ts"
import { isInstalled } from "../IsInstalled.ts"

const root = join(import.meta.dirname, "../..")
const folder = "dist/service"
const out = join(root, folder)
const ofSource = new RegExp(`^${RegExp.escape(join(root, "src"))}`)

/** Effect and what it brings take part in every call. Other dependencies are loaded on demand, or have files beside them. */
const isBundled = (name: string) => /^(effect|@effect\/.+|cli-table3)$/.test(name)

const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
)
const external = Object.keys(dependencies).filter((name) => !isBundled(name))

if (isInstalled("rolldown") && !isFresh(root, folder)) {
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    input: join(root, "src/main.ts"),
    platform: "node",
    checks: { ineffectiveDynamicImport: false },
    external: external.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [{
      name: "source-urls",
      transform: {
        filter: { id: ofSource, code: "import.meta.url" },
        // Threads and files are found from the source that names them.
        handler: (code, id) =>
          code.replaceAll("import.meta.url", `new URL(${JSON.stringify(pathFrom(out, id))}, import.meta.url).href`)
      }
    }]
  })
  const { output } = await bundle.write({
    dir: out,
    format: "esm",
    cleanDir: true,
    // Imports between two files would be variables again.
    codeSplitting: { groups: [{ name: "service" }] }
  })
  await bundle.close()
  const modules = output.flatMap((chunk) => chunk.type === "chunk" ? chunk.moduleIds : [])
  markFresh(root, folder, [join(root, "package-lock.json"), ...modules.filter((id) => ofSource.test(id))])
}
