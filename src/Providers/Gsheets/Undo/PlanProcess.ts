import { answerJobs } from "../../Tooling/Jobs.ts"
import { plans } from "./Plans.ts"

answerJobs((name: keyof typeof plans, input, answers) => plans[name](JSON.parse(input), answers))
