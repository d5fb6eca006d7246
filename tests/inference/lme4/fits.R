# What lme4 makes of the four sets of ../simulated_sets.py; the tests compare with the values and need no R.
#
#   python tests/inference/simulated_sets.py FOLDER
#   Rscript tests/inference/lme4/fits.R FOLDER > tests/inference/lme4/values.csv
#
# values.csv was made with R 4.2.2 and lme4 1.1-31.
suppressMessages(library(lme4))

folder <- commandArgs(trailingOnly = TRUE)[1]
formulas <- list(
  slopes = y ~ kind + u + v + (1 + u + v | group),
  crossed = y ~ kind + u + x + (1 | test) + (1 | model),
  boundary = y ~ kind + u + (1 | test) + (1 | model),
  everything = y ~ kind + u + v + x + (1 + u + v | group) + (1 | family) + (1 | model)
)
control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5))

row <- function(set, quantity, name, value) {
  cat(set, quantity, name, formatC(value, digits = 12, format = "g"), sep = ",")
  cat("\n")
}

cat("set,quantity,name,value\n")
for (set in names(formulas)) {
  data <- read.csv(file.path(folder, paste0(set, ".csv")))
  fitted <- suppressMessages(lmer(formulas[[set]], data = data, REML = TRUE, control = control))
  table <- coef(summary(fitted))
  for (name in rownames(table)) {
    row(set, "coef", name, table[name, "Estimate"])
    row(set, "se", name, table[name, "Std. Error"])
  }
  row(set, "log_likelihood", "", as.numeric(logLik(fitted)))
  row(set, "scale", "", sigma(fitted)^2)
  row(set, "singular", "", as.numeric(isSingular(fitted)))
  for (grouping in names(VarCorr(fitted))) {
    covariance <- VarCorr(fitted)[[grouping]]
    for (i in seq_len(nrow(covariance))) for (j in seq_len(i)) {
      row(set, paste0("covariance ", grouping), paste(rownames(covariance)[i], rownames(covariance)[j]), covariance[i, j])
    }
  }
}
