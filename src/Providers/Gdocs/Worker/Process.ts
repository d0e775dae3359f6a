import { answerJobs } from "../../Tooling/Jobs.ts"
import { jobs } from "./Jobs.ts"

answerJobs((name: keyof typeof jobs, input, answers) => jobs[name](JSON.parse(input), answers))
