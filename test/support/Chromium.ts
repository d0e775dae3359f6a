import chromium, { inflate, setupLambdaEnvironment } from "@sparticuz/chromium"
import { existsSync } from "node:fs"
import { join } from "node:path"

const systemChromium = "/usr/bin/chromium"

const bin = join(import.meta.dirname, "../../node_modules/@sparticuz/chromium/bin")

/**
 * Sets `CHROMIUM_PATH`, unless it is set, to the system's Chromium or the one in an npm package, which it unpacks once
 * before the tests start.
 */
export const setup = async (): Promise<void> => {
  if (process.env["CHROMIUM_PATH"] !== undefined) return
  if (existsSync(systemChromium)) {
    process.env["CHROMIUM_PATH"] = systemChromium
    return
  }
  setupLambdaEnvironment(await inflate(join(bin, "al2023.tar.br")))
  process.env["CHROMIUM_PATH"] = await chromium.executablePath(bin)
}
