/**
 * Makes one attack in its own process, which is not measured. Arguments: the name of the attack, the target as JSON, and
 * the share of the attack.
 */
import { attacks, type Target } from "./Attacks.ts"

const [name = "", json = "{}", share = "1"] = process.argv.slice(2)
const target: Target = JSON.parse(json)
process.stdout.write(JSON.stringify(await attacks[name]?.run(target, Number(share))))
process.exit()
