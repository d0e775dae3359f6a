import type { ReportName } from "../Declared.ts"
import { ga4Report } from "./Ga4Report.ts"
import { gscReport } from "./GscReport.ts"
import type { Report } from "./Report.ts"
import { sitesearchReports } from "./SitesearchReports.ts"

export const reportOf = (name: ReportName): Report => byName[name]

const byName: Readonly<Record<ReportName, Report>> = {
  "gsc.searchanalytics": gscReport,
  "ga4.report": ga4Report,
  ...sitesearchReports
}
