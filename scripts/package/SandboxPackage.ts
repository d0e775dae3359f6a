import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { noticesOf } from "./Notices.ts"
import { entryOf, ownPackage } from "./OwnPackage.ts"
import { shippedPackages } from "./Shipped.ts"

const sources = join(import.meta.dirname, "sandbox")

const declarations = `import type { StartSandbox } from "./Types.js"

export type * from "./Types.js"

/** The five stand-in providers on a port of loopback. What is changed in them is kept in memory. */
export declare const startSandbox: StartSandbox
`

/** The package of the sandbox: one bundle without dependencies. */
export const buildSandboxPackage = async (): Promise<void> => {
  const folder = ownPackage({
    name: "openaccounts-sandbox",
    readme: "scripts/package/sandbox/README.md",
    description: "Fakes of Search Console, Analytics, Sheets, Docs and a site search, for tests",
    bin: "cli.js",
    exports: { ".": entryOf("index"), "./vitest": entryOf("vitest"), "./package.json": "./package.json" },
    peerDependencies: { vitest: ">=3" },
    peerDependenciesMeta: { vitest: { optional: true } },
    engines: { node: ">=24" }
  })
  const built = await rolldown({
    input: { index: join(sources, "Start.ts"), cli: join(sources, "cli.ts") },
    platform: "node",
    checks: { ineffectiveDynamicImport: false }
  })
  const { output } = await built.write({
    dir: folder,
    format: "esm",
    minify: true,
    chunkFileNames: "chunks/[name]-[hash].js",
    comments: { annotation: false, jsdoc: false },
    banner: ({ name }) => name === "cli" ? "#!/usr/bin/env node" : ""
  })
  await built.close()
  const modules = output.flatMap((file) => file.type === "chunk" ? file.moduleIds : [])
  const bundled = shippedPackages().filter(({ folder }) => modules.some((id) => id.includes(`/${folder}/`)))
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES"), noticesOf(bundled))
  writeFileSync(join(folder, "index.d.ts"), declarations)
  copyFileSync(join(sources, "Types.ts"), join(folder, "Types.d.ts"))
  for (const name of ["vitest.js", "vitest.d.ts"]) copyFileSync(join(sources, name), join(folder, name))
}
