import { serveJobs } from "../../../Capacity/ServeJobs.ts"
import { writePage } from "./Page.ts"

serveJobs(writePage)
