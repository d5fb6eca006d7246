"""What `--help` shows below a command's options: examples that run as they stand.

Comes in: the parser with its commands. Goes out: the same, each command with its description and
examples. May not: know what a command does.
"""

import argparse

# command → its examples; a test parses each. Jobs of the graph, which nobody types, have none.
EXAMPLES = {
    "run": (
        """
vlmbias run causalface/variation --parameters
vlmbias run causalface/variation -p seed 7
vlmbias run american_white/we_they -p model greenhouse greenhouse/b0 data/greenhouse/resnet
vlmbias run causalface/variation --sweep seed=1,2,3
vlmbias run causalface/variation -p model greenhouse/b0 -p n_pairs 5000 --seeds 0
vlmbias run american_white/we_they -p model ViT-B-32-quickgelu/openai --settings open"""
    ),
    "book": (
        "vlmbias book\nvlmbias book --settings smoke\nvlmbias book --profile slurm -- --dry-run"
    ),
    "models": "vlmbias models --paper causalface greenhouse/b0 data/greenhouse/resnet",
    "pdf": "vlmbias pdf",
    "fleet": "vlmbias fleet\nvlmbias fleet --profile slurm",
    "sweep": (
        """
vlmbias sweep greenhouse greenhouse/b0
vlmbias sweep ViT-B-32-quickgelu/openai
vlmbias sweep --retry --profile slurm"""
    ),
    "stage": "vlmbias stage\nvlmbias stage --build",
    "pair": "vlmbias pair\nvlmbias pair --check",
    "ledger": "vlmbias ledger audit",
    "ledger collate": "vlmbias ledger collate",
    "ledger audit": "vlmbias ledger audit",
    "ledger check": "vlmbias ledger check",
    "ledger schema": "vlmbias ledger schema",
    "sources": "vlmbias sources status",
    "sources fetch": "vlmbias sources fetch\nvlmbias sources fetch clip-bias-stimuli --timeout 60",
    "sources status": "vlmbias sources status",
    "sources check": "vlmbias sources check\nvlmbias sources check causalface where/it/is",
    "greenhouse": "vlmbias greenhouse train default --seed 1",
    "greenhouse train": (
        "vlmbias greenhouse train default --seed 1\nvlmbias greenhouse train my-recipe.yaml --b 0"
    ),
    "greenhouse gates": "vlmbias greenhouse gates data/greenhouse/default",
    "greenhouse dose-response": "vlmbias greenhouse dose-response --jobs 2 --minutes 30",
    "greenhouse train-speaker": "vlmbias greenhouse train-speaker answers --seed 1 --b 0",
    "greenhouse speakers": "vlmbias greenhouse speakers --networks 2",
    "greenhouse train-decoder": "vlmbias greenhouse train-decoder --seed 1",
    "greenhouse paint": "vlmbias greenhouse paint --jobs 2",
    "greenhouse export": "vlmbias greenhouse export folder try/mine --seeds 3",
}


def show(parser: argparse.ArgumentParser, command: str = "") -> None:
    """Give every command below a parser its description and its examples."""
    for group in [
        action for action in parser._actions if isinstance(action, argparse._SubParsersAction)
    ]:
        helps = {choice.dest: choice.help for choice in group._choices_actions}
        for name, one in group.choices.items():
            whole = f"{command} {name}".strip()
            one.description = one.description or helps.get(name)
            one.formatter_class = argparse.RawDescriptionHelpFormatter
            if examples := EXAMPLES.get(whole):
                lines = examples.strip().splitlines()
                one.epilog = "\n".join(
                    [f"example{'s' * (len(lines) > 1)}:", *(f"  {line}" for line in lines)]
                )
            show(one, whole)
