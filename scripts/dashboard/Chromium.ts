import chromium, { inflate, setupLambdaEnvironment } from "@sparticuz/chromium"
import { writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const bin = join(import.meta.dirname, "../../node_modules/@sparticuz/chromium/bin")

/**
 * Sets `CHROMIUM_PATH`, unless it is set. On Linux x64 it is the headless shell of an npm package, which takes a fifth
 * less CPU than a whole Chromium; it is unpacked once before the tests start. Elsewhere it is the system's Chromium.
 */
export const setup = async (): Promise<void> => {
  if (process.env["CHROMIUM_PATH"] !== undefined) return
  if (process.platform !== "linux" || process.arch !== "x64") {
    process.env["CHROMIUM_PATH"] = "/usr/bin/chromium"
    return
  }
  setupLambdaEnvironment(await inflate(join(bin, "al2023.tar.br")))
  process.env["CHROMIUM_PATH"] = await chromium.executablePath(bin)
  // The package's own configuration names `/tmp`, whatever the folder of temporary files is. Chromium ends without fonts.
  const fonts = join(tmpdir(), "fonts")
  await writeFile(
    join(fonts, "fonts.conf"),
    `<fontconfig><dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir></fontconfig>\n`
  )
}
