/**
 * Checks that the Node which the package `node` has installed is the one of `nodeBinaries.json`: npm installs it without an
 * entry of the lock file. Runs on the machine's own Node, which can be older and reads no TypeScript.
 */
import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"

const root = new URL("../../", import.meta.url)
const read = (path) => readFileSync(new URL(path, root))

const binary = "node_modules/node/bin/node"
const { version } = JSON.parse(read("node_modules/node/package.json"))
const system = `${process.platform}-${process.arch}`
const expected = JSON.parse(read("scripts/check/nodeBinaries.json"))[version]?.[system]

// An installation without install scripts has the machine's own Node.
if (existsSync(new URL(binary, root))) {
  const found = createHash("sha256").update(read(binary)).digest("hex")
  if (expected === undefined) {
    process.stderr.write(`No SHA-256 of Node ${version} for ${system} is known. Compare ${found} with another source.\n`)
  } else if (found !== expected) {
    process.stderr.write(`${binary} has the SHA-256 ${found}, not the ${expected} of nodeBinaries.json\n`)
    process.exitCode = 1
  }
}
