import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { Dashboard } from "./Dashboard.tsx"
import { applyTheme } from "./Session/Theme.ts"

applyTheme()
const element = document.getElementById("dashboard")
if (element) {
  createRoot(element).render(
    <StrictMode>
      <Dashboard />
    </StrictMode>
  )
}
