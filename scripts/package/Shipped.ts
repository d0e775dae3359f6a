import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"

export const root = join(import.meta.dirname, "../..")

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

interface Locked extends Manifest {
  readonly version: string
  readonly license?: string
}

export interface Shipped {
  readonly name: string
  readonly version: string
  readonly license: string
  /** From the root of the repository. */
  readonly folder: string
}

const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"))

/** Imports of values. `node:` modules and files of the project have no package. */
const imported = /(?:\bfrom|\bimport\(|^import|^@import)\s*"(?!node:)((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?"/gm

/** The style sheet takes them by their path. */
const fonts = ["@fontsource-variable/geist", "@fontsource-variable/geist-mono"]

const bundled = (): ReadonlyArray<string> =>
  globSync("src/**/*.{ts,tsx,css}", { cwd: root, exclude: ["**/vite.config.ts"] }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(imported)].map(([, name = ""]) => name)
  )

/**
 * The packages whose code a person gets with this one: bundled into it, as those of the dashboard, or installed beside it.
 * By the lock file, in the order of their names.
 */
export const shippedPackages = (): ReadonlyArray<Shipped> => {
  const { packages }: { readonly packages: Readonly<Record<string, Locked>> } = read("package-lock.json")
  const manifest: Manifest = read("package.json")
  const found = new Map<string, Shipped>()

  const visit = (name: string, from: string): void => {
    const at = `${from}${from === "" ? "" : "/"}node_modules/${name}`
    const locked = packages[at]
    if (locked === undefined) {
      // Without a folder above, it is a package of types or an optional one of another system.
      if (from !== "") visit(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))))
      return
    }
    if (found.has(at) || !existsSync(join(root, at))) return
    const { license = "not named", version } = locked
    found.set(at, { name, version, license, folder: at })
    for (const each of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) visit(each, at)
  }

  const roots = [...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }), ...bundled(), ...fonts]
  for (const name of roots) visit(name, "")
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name, "en"))
}
