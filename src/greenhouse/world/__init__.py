"""The world of the Greenhouse: what there is to see (`faces`, `icons`, listed by `grid`) and to say
(`grammar`, `bias`), with its biases known by construction (`truth`). It imports nothing of ours."""
