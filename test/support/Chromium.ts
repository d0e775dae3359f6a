import chromium, { inflate, setupLambdaEnvironment } from "@sparticuz/chromium"
import { existsSync } from "node:fs"
import { join } from "node:path"

const systemChromium = "/usr/bin/chromium"

const bin = join(import.meta.dirname, "../../node_modules/@sparticuz/chromium/bin")

/**
 * Sets `CHROMIUM_PATH`, where it is not set: to the system's Chromium, or to the one inside an npm package. Unpacks that
 * once, before tests start at the same time.
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
