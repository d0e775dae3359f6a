/** Makes one attack. Its process is not the one that measures. Arguments: the name of the attack, the target as JSON. */
import { attacks, type Target } from "./Attacks.ts"

const [name = "", json = "{}"] = process.argv.slice(2)
const target: Target = JSON.parse(json)
process.stdout.write(JSON.stringify(await attacks[name]?.run(target)))
process.exit()
