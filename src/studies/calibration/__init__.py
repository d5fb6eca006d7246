"""What the chapter on Steed and Caliskan (2021), the worksheet and the quiz share."""
