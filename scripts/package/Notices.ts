/** Writes `THIRD-PARTY-NOTICES` and the bill of materials `sbom.cdx.json` of the package into `dist`. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }
import { root, type Shipped, shippedPackages } from "./Shipped.ts"

const licenceFiles = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i

const licenceOf = (folder: string): string =>
  readdirSync(join(root, folder))
    .filter((name) => licenceFiles.test(name) && !name.endsWith(".js"))
    .map((name) => readFileSync(join(root, folder, name), "utf8").replaceAll("\r\n", "\n").trim())
    .join("\n\n")

const sourceOf = (folder: string): string => {
  const { homepage, repository }: {
    readonly homepage?: string
    readonly repository?: string | { readonly url?: string }
  } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
  const url = typeof repository === "string" ? repository : repository?.url
  return url?.replace(/^git\+|\.git$/g, "").replace(/^git:/, "https:") ?? homepage ?? "not named"
}

const line = ({ folder, license, name, version }: Shipped) =>
  `${name} ${version} (${license}), source: ${sourceOf(folder)}`

/** By licence text: the packages that have it, where their source is, and the text. */
export const noticesOf = (packages: ReadonlyArray<Shipped>): string => {
  const byText = Map.groupBy(packages, ({ folder }) => licenceOf(folder))
  const parts = [...byText].map(([text, of]) =>
    `${of.map(line).join("\n")}\n\n${text === "" ? "The package has no file of its licence." : text}\n`
  )
  return [
    `OpenAccounts ${packageJson.version} contains these packages or installs them. Each keeps its own licence.\n`,
    ...parts
  ].join(`\n${"-".repeat(80)}\n\n`)
}

interface Bill {
  readonly metadata: { readonly component: object; readonly timestamp?: string }
  readonly components: ReadonlyArray<{ readonly "bom-ref": string }>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn: ReadonlyArray<string> }>
}

/** npm lists all packages of the lock file. Those for building and for tests are not in the package. */
const billOf = (packages: ReadonlyArray<Shipped>): Bill => {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"]
  const bill: Bill = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 100_000_000 }))
  const own = `${packageJson.name}@${packageJson.version}`
  const refs = new Set([own, ...packages.map(({ name, version }) => `${name}@${version}`)])
  return {
    ...bill,
    // npm takes the name of the folder.
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name: packageJson.name } },
    components: bill.components.filter((component) => refs.has(component["bom-ref"])),
    dependencies: bill.dependencies.filter(({ ref }) => refs.has(ref)).map(({ dependsOn, ref }) => ({
      ref,
      dependsOn: dependsOn.filter((each) => refs.has(each))
    }))
  }
}

export const writeNotices = (): void => {
  const packages = shippedPackages()
  writeFileSync(join(root, "dist/THIRD-PARTY-NOTICES"), noticesOf(packages))
  writeFileSync(join(root, "dist/sbom.cdx.json"), JSON.stringify(billOf(packages), null, 2))
}
